package dev.drover.mcp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process, with the conversations that clients have with it. */
class ServerProcessTest {

  @TempDir private Path folder;
  private Process process;
  private TestClient client;

  @BeforeEach
  void start() throws Exception {
    folder = folder.toRealPath();
    process = ServerProcess.start(folder);
    client = TestClient.of(process);
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private void assertEnds() throws Exception {
    client.endInput();
    assertThat(client.rest()).isEmpty();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
  }

  private Path csv(String name, int rows) throws Exception {
    StringBuilder text = new StringBuilder("id,name\r\n");
    for (int i = 1; i <= rows; i++) {
      text.append(i).append(",\"na\"\"me ").append(i).append("\"\r\n");
    }
    return Files.writeString(folder.resolve(name), text);
  }

  /** Byte for byte what the benchmark of a similar server sends, but for the paths. */
  @Test
  void holdsTheConversationOfAnExistingClient() throws Exception {
    int rows = 10_000;
    Path in = csv("bench.csv", rows);
    Path out = folder.resolve("out.jsonl");
    List<String> counted = new ArrayList<>();
    client.send(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
            + "\"2024-11-05\",\"capabilities\":{},\"clientInfo\":{\"name\":\"mqb-bench\","
            + "\"version\":\"1\"}}}");
    assertThat(client.receive().at("result", "protocolVersion")).isEqualTo("2024-11-05");
    client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}");
    client.send(call(2, "server_info", "{}"));
    assertThat(client.receive().object("result").text().get("profile")).isEqualTo("release");
    for (int id = 3; id < 203; id++) {
      client.send(call(id, "route_status", "{}"));
      assertThat(client.receive().get("id")).isEqualTo((long) id);
    }
    ask(
        counted,
        call(
            203,
            "start_route",
            ("{\"name\":\"mcp_bench_0\",\"route\":{\"input\":{\"file\":{\"path\":\"%s\",\"format\":"
                    + "\"csv\"}},\"output\":{\"file\":{\"path\":\"%s\",\"format\":\"raw\"}},"
                    + "\"exit_on_empty\":true},\"batch_size\":1024,\"concurrency\":1}")
                .formatted(in, out)));
    Json status = Json.of("{\"finished\":false}");
    List<String> lastPoll = new ArrayList<>();
    for (int id = 204; !Boolean.TRUE.equals(status.get("finished")); id++) {
      lastPoll.clear();
      status = ask(lastPoll, call(id, "route_status", "{\"name\":\"mcp_bench_0\"}"));
    }
    counted.addAll(lastPoll);
    Json stopped = ask(counted, call(990, "stop_route", "{\"name\":\"mcp_bench_0\"}"));
    assertThat(status.get("outcome")).isEqualTo("completed");
    assertThat(status.get("messages")).isEqualTo((long) rows);
    assertThat(status.get("bytes_in")).isEqualTo(Files.size(in));
    assertThat(status.get("bytes_out")).isEqualTo(Files.size(out));
    assertThat(status.get("destination")).isEqualTo(out.toString());
    assertThat(stopped.keys())
        .isEqualTo(List.of("messages", "elapsed_s", "average_messages_per_second", "outcome"));
    assertThat(stopped.get("messages")).isEqualTo((long) rows);
    assertThat(stopped.get("elapsed_s")).isEqualTo(status.get("elapsed_s"));
    assertThat(Files.readAllLines(out))
        .hasSize(rows)
        .startsWith("{\"id\":\"1\",\"name\":\"na\\\"me 1\"}");
    // A limit for paths as short as that client's and counts of a million rows: 40 characters more.
    int paths = 2 * out.toString().length() + in.toString().length();
    int usual = 2 * "/tmp/mqb_mcp_out.jsonl".length() + "/abs/bench.csv".length();
    int bytes =
        counted.stream().mapToInt(line -> line.getBytes(StandardCharsets.UTF_8).length + 1).sum();
    assertThat(bytes - paths + usual + 40).isLessThanOrEqualTo(1250);
    assertEnds();
  }

  private static String call(int id, String tool, String arguments) {
    return ("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
            + "\"arguments\":%s}}")
        .formatted(id, tool, arguments);
  }

  private Json ask(List<String> lines, String request) throws Exception {
    client.send(request);
    String answer = client.line();
    lines.add(request);
    lines.add(answer);
    return Json.of(answer).object("result").text();
  }

  @Test
  void keepsItsOutputForTheProtocol() throws Exception {
    client.initialize("2025-11-25");
    Json status =
        client.call(
            "start_route",
            "{\"wait_ms\":60000,\"route\":{\"input\":{\"probe\":{\"behaviour\":\"noisy\"}},"
                + "\"output\":{\"probe\":{}}}}");
    assertThat(status.get("outcome")).isEqualTo("completed");
    assertEnds();
    assertThat(Files.readString(folder.resolve("log"))).contains("hello from a connector");
  }

  @Test
  void keepsItsFaultsForTheLog() throws Exception {
    client.initialize("2024-11-05");
    Json error =
        client.refused(
            "start_route",
            "{\"route\":{\"input\":{\"probe\":{\"behaviour\":\"broken\"}},\"output\":{\"probe\":{}}}}");
    assertThat(error.get("code")).isEqualTo("internal");
    String message = String.valueOf(error.get("message"));
    assertThat(error.toString()).doesNotContain("hunter2").doesNotContain("Secret");
    String id = message.replaceAll("internal error (\\w+);.*", "$1");
    assertEnds();
    assertThat(Files.readString(folder.resolve("log"))).contains("internal error " + id);
  }

  @Test
  void answersAllAndEndsWhenTheInputEnds() throws Exception {
    client.initialize("2024-11-05");
    client.call(
        "start_route",
        "{\"name\":\"a\",\"route\":{\"input\":{\"probe\":{}},\"output\":{\"probe\":{}}}}");
    for (int i = 0; i < 20; i++) {
      client.begin("wait_route", "{\"name\":\"a\",\"timeout_ms\":600000}");
    }
    client.endInput();
    assertThat(client.rest())
        .hasSize(20)
        .allSatisfy(line -> assertThat(Json.of(line).keys()).contains("result"));
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void finishesWhatEndsByItselfWhenTheInputEnds() throws Exception {
    csv("in.csv", 200_000);
    client.initialize("2024-11-05");
    client.call(
        "start_route",
        "{\"route\":{\"input\":{\"file\":{\"path\":\"in.csv\"}},\"output\":{\"file\":{\"path\":"
            + "\"out.jsonl\"}}}}");
    assertEnds();
    assertThat(Files.readAllLines(folder.resolve("out.jsonl"))).hasSize(200_000);
  }

  @Test
  void endsOnSignalThoughRouteRuns() throws Exception {
    client.initialize("2024-11-05");
    client.call(
        "start_route",
        "{\"name\":\"a\",\"route\":{\"input\":{\"probe\":{}},\"output\":{\"probe\":{}}}}");
    client.begin("wait_route", "{\"name\":\"a\"}");
    // The answer to a later call shows that the server has read this one.
    client.call("route_status", "{}");
    // Not Process.destroy, which would close the pipes.
    process.toHandle().destroy();
    assertThat(client.rest()).hasSize(1);
    assertThat(process.waitFor(60, SECONDS)).isTrue();
  }
}
