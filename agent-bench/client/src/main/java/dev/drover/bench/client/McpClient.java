package dev.drover.bench.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP client that owns its server: a child process that speaks JSON-RPC, one message a line,
 * over its standard streams. One call at a time, from one thread; each call blocks until the reply
 * is there or {@code replyTimeout} has passed, after which the server is killed, because nothing it
 * says later could be told from the reply to the next call.
 */
public final class McpClient implements AutoCloseable {
  /** The oldest revision that servers still speak, and the one that published figures use. */
  public static final String OLDEST_PROTOCOL = "2024-11-05";

  private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(10);
  private static final int SHOWN = 300;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Process process;
  private final Wire wire;
  private final Duration replyTimeout;
  private final long startedAt = System.nanoTime();
  private final Thread watch;
  private volatile long deadline;
  private volatile boolean waiting;
  private volatile boolean timedOut;
  private long id;

  private McpClient(Process process, Duration replyTimeout) {
    this.process = process;
    this.wire = new Wire(process.getInputStream(), process.getOutputStream());
    this.replyTimeout = replyTimeout;
    this.watch = Thread.ofVirtual().name("mcp-client-watch").start(this::watch);
  }

  /**
   * Starts the server.
   *
   * @param command program and arguments
   * @param replyTimeout longest wait for one reply
   * @param stderr where the server's standard error goes
   * @throws IOException when the program cannot be started
   */
  public static McpClient start(
      List<String> command, Duration replyTimeout, ProcessBuilder.Redirect stderr)
      throws IOException {
    return new McpClient(new ProcessBuilder(command).redirectError(stderr).start(), replyTimeout);
  }

  /**
   * One answered request.
   *
   * @param value the result; of a tool call, the JSON document in its text content
   * @param isError whether the tool says that the call failed; {@code value} then says why
   * @param requestBytes bytes of the request line, its end included
   * @param replyBytes bytes of all lines up to the reply, ends included
   * @param nanos from before the request was written until the reply was parsed
   */
  public record Reply(
      JsonNode value, boolean isError, long requestBytes, long replyBytes, long nanos) {
    /** Bytes both ways. */
    public long bytes() {
      return requestBytes + replyBytes;
    }
  }

  /**
   * Shakes hands: {@code initialize} with no client capabilities, then {@code
   * notifications/initialized}.
   *
   * @return the result of {@code initialize}; its time counts from the start of the process
   */
  public Reply initialize(String protocolVersion) throws IOException {
    Reply reply =
        request(
            "initialize",
            "{\"protocolVersion\":"
                + JSON.writeValueAsString(protocolVersion)
                + ",\"capabilities\":{},\"clientInfo\":{\"name\":\"drover-bench\",\"version\":\"1\"}}");
    long sinceStart = System.nanoTime() - startedAt;
    wire.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}");
    return new Reply(reply.value, false, reply.requestBytes, reply.replyBytes, sinceStart);
  }

  /** Calls a tool. The arguments are written in the map's order. */
  public Reply call(String tool, Map<String, ?> arguments) throws IOException {
    String params =
        "{\"name\":"
            + JSON.writeValueAsString(tool)
            + ",\"arguments\":"
            + JSON.writeValueAsString(arguments)
            + "}";
    Reply reply = request("tools/call", params);
    JsonNode result = reply.value;
    StringBuilder text = new StringBuilder();
    for (JsonNode content : result.path("content")) {
      if (content.path("type").asString("").equals("text")) {
        text.append(content.path("text").asString(""));
      }
    }
    return new Reply(
        parsed(text.toString(), "the text content of " + tool),
        result.path("isError").asBoolean(false),
        reply.requestBytes,
        reply.replyBytes,
        reply.nanos);
  }

  /**
   * Calls a tool that has to succeed.
   *
   * @throws McpException when the tool reports an error; the message carries it
   */
  public Reply require(String tool, Map<String, ?> arguments) throws IOException {
    Reply reply = call(tool, arguments);
    if (reply.isError) {
      throw new McpException(tool + " failed: " + shortened(reply.value.toString()));
    }
    return reply;
  }

  /**
   * Sends a request and waits for its reply; messages of other kinds in between are skipped.
   *
   * @param params a JSON object
   * @throws McpException when the reply is a JSON-RPC error, the server ends, says something that
   *     is no JSON, or stays silent
   */
  public Reply request(String method, String params) throws IOException {
    long request = ++id;
    String line =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + request
            + ",\"method\":\""
            + method
            + "\",\"params\":"
            + params
            + "}";
    long sentBefore = wire.sent();
    long receivedBefore = wire.received();
    long begun = System.nanoTime();
    deadline = begun + replyTimeout.toNanos();
    waiting = true;
    try {
      wire.send(line);
      JsonNode message = reply(method, request);
      long nanos = System.nanoTime() - begun;
      if (message.has("error")) {
        throw new McpException(
            method + " was refused: " + shortened(message.get("error").toString()));
      }
      return new Reply(
          message.path("result"),
          false,
          wire.sent() - sentBefore,
          wire.received() - receivedBefore,
          nanos);
    } catch (McpException e) {
      throw e;
    } catch (IOException e) {
      throw gone(method);
    } finally {
      waiting = false;
    }
  }

  private JsonNode reply(String method, long request) throws IOException {
    while (true) {
      String line = wire.receive();
      if (line == null) {
        throw gone(method);
      }
      if (line.isBlank()) {
        continue;
      }
      JsonNode message = parsed(line, "a line from the server");
      if (message.path("id").isIntegralNumber() && message.path("id").asLong() == request) {
        return message;
      }
    }
  }

  private McpException gone(String method) {
    if (timedOut) {
      return new McpException(
          "no reply to %s within %d ms; the server was killed"
              .formatted(method, replyTimeout.toMillis()));
    }
    @Nullable Integer code = exitCode(Duration.ofSeconds(2));
    return new McpException(
        "the server ended before it answered %s (%s)"
            .formatted(method, code == null ? "still exiting" : "exit code " + code));
  }

  private static JsonNode parsed(String text, String what) throws McpException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new McpException(what + " is not JSON: " + shortened(text));
    }
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  private void watch() {
    try {
      while (process.isAlive()) {
        Thread.sleep(100);
        if (waiting && System.nanoTime() - deadline > 0) {
          timedOut = true;
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The server process. */
  public ProcessHandle server() {
    return process.toHandle();
  }

  private @Nullable Integer exitCode(Duration atMost) {
    try {
      return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS) ? process.exitValue() : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * Ends the server's input and waits for its exit, for at most 10 seconds; then kills it.
   *
   * @return its exit code; null when it had to be killed
   */
  public @Nullable Integer end() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The server is gone already; the exit code tells.
    }
    @Nullable Integer code = exitCode(EXIT_TIMEOUT);
    if (code == null) {
      process.destroyForcibly();
    }
    watch.interrupt();
    return code;
  }

  @Override
  public void close() {
    end();
  }
}
