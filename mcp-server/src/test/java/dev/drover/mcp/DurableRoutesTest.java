package dev.drover.mcp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server leaves to the next one: killed, or ended in peace. */
class DurableRoutesTest {

  private static final String IDLE = "{\"input\":{\"probe\":{}},\"output\":{\"probe\":{}}";

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();
  private TestClient client;

  @BeforeEach
  void start() throws Exception {
    folder = folder.toRealPath();
    client = server();
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private TestClient server() throws Exception {
    Process process = ServerProcess.start(folder);
    processes.add(process);
    return TestClient.of(process).initialize("2025-11-25");
  }

  private void kill() throws Exception {
    Process process = processes.getLast();
    process.destroyForcibly();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
  }

  private void endInput() throws Exception {
    client.endInput();
    assertThat(processes.getLast().waitFor(60, SECONDS)).isTrue();
  }

  private Json status(String name) throws Exception {
    return client.call("route_status", "{\"name\":\"" + name + "\"}");
  }

  private static String arguments(String name, String route) {
    return "{\"name\":\"%s\",\"route\":%s}}".formatted(name, route);
  }

  @Test
  void aDurableRouteIsTakenUpUntilItIsStopped() throws Exception {
    client.call("start_route", arguments("d", IDLE + ",\"durable\":true"));
    kill();
    client = server();
    assertThat(status("d").get("state")).isIn("starting", "running");
    // A server that ends in peace leaves it to the next one too.
    endInput();
    client = server();
    assertThat(status("d").get("state")).isIn("starting", "running");
    assertThat(client.call("stop_route", "{\"name\":\"d\"}").get("outcome")).isEqualTo("stopped");
    kill();
    client = server();
    assertThat(status("d").get("state")).isEqualTo("stopped");
  }

  @Test
  void aDurableRouteGoesOnAfterTheRowsThatWereCommitted() throws Exception {
    int rows = 3000;
    client.call(
        "start_route",
        arguments(
            "copy",
            "{\"input\":{\"static\":{\"body\":\"x\",\"count\":%d}},".formatted(rows)
                + "\"output\":{\"file\":{\"path\":\"out.jsonl\"}},\"durable\":true,"
                + "\"limit_rows_per_second\":2000,\"commit_interval_ms\":20,"
                + "\"max_batch_rows\":10"));
    while (!(status("copy").get("messages") instanceof Long moved) || moved < 300) {
      Thread.sleep(5);
    }
    kill();
    client = server();
    Json ended = client.call("wait_route", "{\"name\":\"copy\"}");
    assertThat(ended.get("outcome")).isEqualTo("completed");
    assertThat(ended.get("guarantee")).isEqualTo("exactly_once");
    assertThat(ended.get("resumed")).isEqualTo(true);
    assertThat((Long) ended.get("messages")).isLessThan(rows);
    assertThat(Files.readAllLines(folder.resolve("out.jsonl"))).hasSize(rows).containsOnly("x");
  }

  @Test
  void aRouteThatWasCutOffSaysHowToGoOn() throws Exception {
    client.call("start_route", arguments("a", IDLE + ",\"max_batch_rows\":7"));
    kill();
    client = server();
    Json status = status("a");
    assertThat(status.get("state")).isEqualTo("interrupted");
    assertThat(status.get("finished")).isEqualTo(true);
    assertThat(status.get("resume_with")).isInstanceOf(Map.class);
    assertThat(client.call("route_status", "{}").toString()).contains("interrupted");
    JsonWriter again = new JsonWriter().any(status.get("resume_with"));
    assertThat(again.toString()).contains("\"max_batch_rows\":7");
    assertThat(client.call("start_route", again.toString()).get("name")).isEqualTo("a");
    assertThat(status("a").get("state")).isIn("starting", "running");
  }

  @Test
  void secretsAreNotWrittenDown() throws Exception {
    String secret = "{\"input\":{\"probe\":{\"password\":\"hunter2\"}},\"output\":{\"probe\":{}}";
    Json error = client.refused("start_route", arguments("s", secret + ",\"durable\":true"));
    assertThat(error.toString()).contains("/route/input/probe/password", "${env:NAME}");
    client.call("start_route", arguments("s", secret));
    kill();
    client = server();
    assertThat(status("s").get("state")).isEqualTo("interrupted");
    assertThat(status("s").keys()).doesNotContain("resume_with");
    try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file)).doesNotContain("hunter2");
      }
    }
  }

  @Test
  void runsThatHaveEndedStayReadable() throws Exception {
    String route = "{\"input\":{\"static\":\"x\"},\"output\":{\"null\":{}}";
    for (int i = 1; i <= 103; i++) {
      client.call("start_route", arguments("r" + i, route));
      client.call("wait_route", "{\"name\":\"r%d\"}".formatted(i));
    }
    Json before = status("r103");
    kill();
    client = server();
    Json after = status("r103");
    assertThat(after.get("messages")).isEqualTo(1L);
    assertThat(after.keys()).containsAll(before.keys());
    assertThat(client.call("wait_route", "{\"name\":\"r50\"}").get("outcome"))
        .isEqualTo("completed");
    assertThat(client.call("stop_route", "{\"name\":\"r50\"}").keys())
        .isEqualTo(List.of("messages", "elapsed_s", "average_messages_per_second", "outcome"));
    assertThat(client.refused("route_status", "{\"name\":\"r3\"}").get("code"))
        .isEqualTo("unknown_route");
    assertThat(client.call("route_status", "{}").get("older_not_shown")).isEqualTo(100L);
  }

  @Test
  void whatAnotherServerRunsIsLeftAlone() throws Exception {
    client.call("start_route", arguments("mine", IDLE + ",\"durable\":true"));
    TestClient first = client;
    client = server();
    assertThat(client.refused("route_status", "{\"name\":\"mine\"}").get("code"))
        .isEqualTo("unknown_route");
    assertThat(first.call("route_status", "{\"name\":\"mine\"}").get("state"))
        .isIn("starting", "running");
  }
}
