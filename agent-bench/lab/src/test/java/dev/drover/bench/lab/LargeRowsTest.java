package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.bench.client.McpClient;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rows of sizes that a pipeline of small rows never meets, four routes at once. */
class LargeRowsTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path folder = Path.of("");

  private Path csv(String name, int rows, int fieldChars) throws IOException {
    Path csv = folder.toRealPath().resolve(name + ".csv");
    // Every character that JSON escapes makes the output larger than the input.
    String unit = "0123456789abcde\t";
    try (Writer out = Files.newBufferedWriter(csv)) {
      out.write("id,text\n");
      for (int row = 0; row < rows; row++) {
        out.write(row + ",");
        for (int left = fieldChars; left > 0; left -= unit.length()) {
          out.write(unit, 0, Math.min(left, unit.length()));
        }
        out.write("\n");
      }
    }
    return csv;
  }

  private static Map<String, ?> start(Path csv) {
    Map<String, Object> route = new LinkedHashMap<>();
    route.put("input", Map.of("file", csv.toString()));
    route.put("output", Map.of("file", csv.toString().replace(".csv", ".jsonl")));
    return Map.of("name", csv.getFileName().toString(), "route", route);
  }

  /** The usual heap, and one that some of the routes cannot live in. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xmx1g", "-Xmx160m"})
  void workOrFailAndTheServerLives(String heap) throws IOException {
    List<Path> inputs =
        List.of(
            csv("largest", 1, 64 * MIB - 16),
            csv("too_large", 1, 64 * MIB + 16),
            csv("rows_600_kb", 100, 600_000),
            csv("small", 100_000, 20));
    try (McpClient client = ServerProcess.mcp(folder, heap)) {
      client.initialize(McpClient.OLDEST_PROTOCOL);
      for (Path input : inputs) {
        client.require("start_route", start(input));
      }
      for (Path input : inputs) {
        String name = input.getFileName().toString();
        JsonNode status =
            client.require("wait_route", Map.of("name", name, "timeout_ms", 100_000)).value();
        assertThat(status.path("finished").asBoolean()).as(name).isTrue();
        boolean completed = status.path("outcome").asString().equals("completed");
        String code = status.path("error").path("code").asString("");
        if (name.startsWith("too_large")) {
          assertThat(code).isIn("limit_exceeded", "out_of_memory");
        } else if (heap.equals("-Xmx1g")) {
          assertThat(completed).as("%s: %s", name, status).isTrue();
        } else if (!completed) {
          assertThat(code).as(name).isEqualTo("out_of_memory");
        }
        assertThat(Files.exists(Path.of(input.toString().replace(".csv", ".jsonl"))))
            .as(name)
            .isEqualTo(completed);
      }
      // Whatever happened to the others, the next route works.
      Path last = csv("last", 1000, 20);
      client.require("start_route", start(last));
      assertThat(
              client
                  .require("wait_route", Map.of("name", "last.csv", "timeout_ms", 100_000))
                  .value()
                  .path("outcome")
                  .asString())
          .isEqualTo("completed");
      assertThat(client.end()).isZero();
    }
  }
}
