package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.Run;
import dev.drover.runtime.StopMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client at the other end of two pipes of the operating system. One thread. */
final class TestClient implements AutoCloseable {

  /** Far more than anything takes; only a call that hangs gets there. */
  private static final long LIVENESS_SECONDS = 60;

  private static final String END = "";

  private final OutputStream out;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Runnable server;
  private long lastId;

  private TestClient(OutputStream out, InputStream in, Runnable server) {
    this.out = out;
    this.server = server;
    Thread.ofPlatform().daemon().name("client").start(() -> readAll(in));
  }

  /** Connects to a server in this process. */
  static TestClient connect(Path... roots) throws IOException {
    Pipe requests = Pipe.open();
    Pipe answers = Pipe.open();
    Connectors connectors = Connectors.load();
    FileAccess access = FileAccess.fenced(List.of(roots), Map.of());
    Engine engine = new Engine(connectors, access);
    BuildInfo build = BuildInfo.current();
    ToolCalls tools =
        new ToolCalls(
            new RouteTools(engine, connectors, access.roots(), build, Journal.none()).all());
    OutputStream toClient = Channels.newOutputStream(answers.sink());
    Connection connection =
        new Connection(
            Channels.newInputStream(requests.source()),
            toClient,
            tools,
            new SdkServer(tools, build));
    Thread thread =
        Thread.ofPlatform()
            .name("server")
            .start(
                () -> {
                  connection.serve();
                  close(toClient);
                });
    return new TestClient(
        Channels.newOutputStream(requests.sink()),
        Channels.newInputStream(answers.source()),
        () -> {
          join(thread);
          engine.runs().forEach(TestClient::stop);
        });
  }

  private static void stop(Run run) {
    try {
      run.stop(StopMode.NOW, Duration.ofSeconds(LIVENESS_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(LIVENESS_SECONDS))).as("the server ends").isTrue();
    } catch (InterruptedException e) {
      fail("interrupted", e);
    }
  }

  /** Talks to a process, which is ended by others. */
  static TestClient of(Process process) {
    return new TestClient(process.getOutputStream(), process.getInputStream(), () -> {});
  }

  private static void close(OutputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void readAll(InputStream in) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null) {
        lines.add(line);
        line = reader.readLine();
      }
    } catch (IOException e) {
      // The server is gone: the end.
    }
    lines.add(END);
  }

  /** Sends bytes as they are. */
  void sendBytes(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends a line. */
  void send(String line) throws IOException {
    sendBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a request; returns its id. */
  long request(String method, String params) throws IOException {
    lastId++;
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
            .formatted(lastId, method, params));
    return lastId;
  }

  /** Calls a tool without waiting for the answer; returns the id. */
  long begin(String tool, String arguments) throws IOException {
    return request("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
  }

  /** The next line as it came. */
  String line() {
    try {
      String line = lines.poll(LIVENESS_SECONDS, TimeUnit.SECONDS);
      return line == null ? fail("no answer") : line;
    } catch (InterruptedException e) {
      return fail("interrupted", e);
    }
  }

  /** The next message. */
  Json receive() {
    String line = line();
    assertThat(line).as("the connection has ended").isNotEqualTo(END);
    return Json.of(line);
  }

  /** What is left in the end; the server must be ending. */
  List<String> rest() {
    List<String> rest = new ArrayList<>();
    String line = line();
    while (!line.equals(END)) {
      rest.add(line);
      line = line();
    }
    return rest;
  }

  /** Shakes hands. */
  TestClient initialize(String revision) throws IOException {
    long id =
        request(
            "initialize",
            "{\"protocolVersion\":\"%s\",\"capabilities\":{},".formatted(revision)
                + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}");
    Json answer = receive();
    assertThat(answer.get("id")).isEqualTo(id);
    assertThat(answer.at("result", "protocolVersion")).isEqualTo(revision);
    send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}");
    return this;
  }

  /** Calls a tool that must work; returns the document of its text. */
  Json call(String tool, String arguments) throws IOException {
    Json result = result(tool, arguments);
    assertThat(result.get("isError")).as(result.toString()).isNull();
    return result.text();
  }

  /** Calls a tool that must refuse; returns the error. */
  Json refused(String tool, String arguments) throws IOException {
    Json result = result(tool, arguments);
    assertThat(result.get("isError")).as(result.toString()).isEqualTo(true);
    return result.text().object("error");
  }

  private Json result(String tool, String arguments) throws IOException {
    long id = begin(tool, arguments);
    Json answer = receive();
    assertThat(answer.get("id")).isEqualTo(id);
    return answer.object("result");
  }

  /** Ends the input of the server. */
  void endInput() throws IOException {
    out.close();
  }

  @Override
  public void close() throws IOException {
    out.close();
    server.run();
  }
}
