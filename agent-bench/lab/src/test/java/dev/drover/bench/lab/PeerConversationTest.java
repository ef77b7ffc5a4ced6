package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.bench.client.Digest;
import dev.drover.bench.client.Fixture;
import dev.drover.bench.client.McpClient;
import dev.drover.bench.client.RouteJob;
import dev.drover.bench.client.RouteJob.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The conversation that published figures come from, with the real server in its own process. */
class PeerConversationTest {
  private static final int ROWS = 20_000;
  private static final Duration WAIT = Duration.ofMinutes(1);

  @TempDir private Path folder = Path.of("");

  private static List<String> keys(JsonNode document) {
    return List.copyOf(document.propertyNames());
  }

  private Path fixture() throws IOException {
    Path csv = folder.toRealPath().resolve("bench.csv");
    Fixture.ensure(csv, ROWS);
    return csv;
  }

  private RouteJob job(String name, Path csv, Waiting waiting) {
    return new RouteJob(name, csv, csv.resolveSibling("out.jsonl"), OptionalInt.of(1), waiting);
  }

  @ParameterizedTest
  @EnumSource
  void everyKeyThatTheClientReadsIsThere(Waiting waiting) throws IOException {
    Path csv = fixture();
    try (McpClient client = ServerProcess.mcp(folder)) {
      JsonNode opened = client.initialize(McpClient.OLDEST_PROTOCOL).value();
      assertThat(opened.path("protocolVersion").asString()).isEqualTo("2024-11-05");
      assertThat(opened.path("capabilities").has("tools")).isTrue();

      JsonNode info = client.require("server_info", Map.of()).value();
      assertThat(info.path("profile").asString()).isEqualTo("release");
      assertThat(keys(info)).contains("name", "version");

      assertThat(client.require("route_status", Map.of()).isError()).isFalse();

      RouteJob job = job("mcp_bench_0", csv, waiting);
      RouteJob.Result result = job.run(client, WAIT, rowsSoFar -> {});
      assertThat(keys(result.start().value())).startsWith("name", "state");
      assertThat(keys(result.status().value()))
          .startsWith("name", "state", "finished", "outcome", "messages", "elapsed_s")
          .contains("average_messages_per_second");
      assertThat(keys(result.stop().value()))
          .startsWith("messages", "elapsed_s", "average_messages_per_second", "outcome");
      assertThat(result.status().value().path("outcome").asString()).isEqualTo("completed");
      assertThat(result.status().value().path("messages").asLong()).isEqualTo(ROWS);
      assertThat(result.rows()).isEqualTo(ROWS);

      Digest made = Digest.of(job.out());
      assertThat(made.newlines()).isEqualTo(ROWS);
      assertThat(made.sha256()).isEqualTo(Fixture.linesSha256(ROWS));
      assertThat(folder).isDirectoryNotContaining("glob:**.part");
      assertThat(client.end()).isZero();
    }
  }

  @Test
  void theServersElapsedTimeIsTrueAndStays() throws IOException {
    Path csv = fixture();
    try (McpClient client = ServerProcess.mcp(folder)) {
      client.initialize(McpClient.OLDEST_PROTOCOL);
      RouteJob job = job("again", csv, Waiting.WAIT);
      RouteJob.Result result = job.run(client, WAIT, rowsSoFar -> {});
      assertThat(result.serverSeconds()).isPositive().isLessThanOrEqualTo(result.wallSeconds());
      for (int i = 0; i < 3; i++) {
        JsonNode later = client.require("route_status", Map.of("name", "again")).value();
        assertThat(later.path("elapsed_s").asDouble()).isEqualTo(result.serverSeconds());
        assertThat(later.path("messages").asLong()).isEqualTo(ROWS);
      }
    }
  }

  @Test
  void aNameIsFreeOnceItsRunHasEnded() throws IOException {
    Path csv = fixture();
    try (McpClient client = ServerProcess.mcp(folder)) {
      client.initialize(McpClient.OLDEST_PROTOCOL);
      for (int i = 0; i < 3; i++) {
        assertThat(job("same", csv, Waiting.POLL).run(client, WAIT, rowsSoFar -> {}).rows())
            .isEqualTo(ROWS);
      }
    }
  }

  @Test
  void threeCallsFitTheByteBudget() throws IOException {
    Path csv = fixture();
    try (McpClient client = ServerProcess.mcp(folder)) {
      client.initialize(McpClient.OLDEST_PROTOCOL);
      RouteJob.Result result =
          job("mcp_bench_0", csv, Waiting.POLL).run(client, WAIT, rowsSoFar -> {});
      // Long paths are not the server's doing: count as if each were 32 characters, in the request
      // twice and in the status once.
      int out = csv.resolveSibling("out.jsonl").toString().length();
      long beyond = csv.toString().length() + 2L * out - 3 * 32;
      assertThat(result.status().value().toString()).contains("out.jsonl");
      assertThat(result.agentBytes() - beyond).isLessThanOrEqualTo(1_250);
      assertThat(client.request("tools/list", "{}").replyBytes()).isLessThanOrEqualTo(6_000);
    }
  }

  @Test
  void wrongInputFailsTheRouteAndLeavesNothingBehind() throws IOException {
    Path csv = folder.toRealPath().resolve("bad.csv");
    Files.writeString(csv, "id,name\n1,a\n2\n");
    Path out = csv.resolveSibling("bad.jsonl");
    Map<String, Object> route = new LinkedHashMap<>();
    route.put("input", Map.of("file", Map.of("path", csv.toString(), "format", "csv")));
    route.put("output", Map.of("file", Map.of("path", out.toString(), "format", "raw")));
    route.put("exit_on_empty", true);
    try (McpClient client = ServerProcess.mcp(folder)) {
      client.initialize(McpClient.OLDEST_PROTOCOL);
      client.require("start_route", Map.of("name", "bad", "route", route));
      JsonNode status =
          client.require("wait_route", Map.of("name", "bad", "timeout_ms", 60_000)).value();
      assertThat(status.path("finished").asBoolean()).isTrue();
      assertThat(status.path("outcome").asString()).isEqualTo("failed");
      assertThat(status.toString()).contains("bad.csv").contains("committed");
      assertThat(out).doesNotExist();
      assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }
  }
}
