package dev.drover.bench.lab;

import dev.drover.bench.client.Digest;
import dev.drover.bench.client.McpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A route of any kind through a running MCP server, by the client's clock.
 *
 * @param name in words, for errors and progress
 * @param input the source's endpoint
 * @param transforms between the two
 * @param output the sink's endpoint
 * @param rows that the route must tell
 * @param out the file that it makes; null if it makes none
 * @param sha256 of that file; null where only the lines are counted; empty where it is compressed
 */
record RouteContestant(
    McpClient client,
    String name,
    Map<String, ?> input,
    List<Map<String, ?>> transforms,
    Map<String, ?> output,
    long rows,
    @Nullable Path out,
    @Nullable String sha256)
    implements Contestant {

  private static final String RUN = "figure";
  private static final int LONGEST_WAIT_MS = 240_000;

  /** The endpoint of a file, whose format its extension tells. */
  static Map<String, ?> file(Path path) {
    return Map.of("file", Map.of("path", path.toString()));
  }

  /** The endpoint of a file in a format. */
  static Map<String, ?> file(Path path, String format) {
    return Map.of("file", Map.of("path", path.toString(), "format", format));
  }

  /** The endpoint that takes rows and drops them. */
  static Map<String, ?> nowhere() {
    return Map.of("null", Map.of());
  }

  /** Makes {@code out} of {@code input} as the route does, to be an input itself. */
  static Path prepare(McpClient client, Map<String, ?> input, Path out, String format, long rows)
      throws IOException {
    Map<String, ?> output = file(out, format);
    RouteContestant route =
        new RouteContestant(client, "preparation", input, List.of(), output, rows, null, null);
    Files.deleteIfExists(out);
    route.run();
    return out;
  }

  @Override
  public Sample run() throws IOException {
    if (out != null) {
      Files.deleteIfExists(out);
    }
    long pid = client.server().pid();
    double cpu = ProcessUse.cpuSeconds(pid);
    long begun = System.nanoTime();
    Map<String, Object> route = new LinkedHashMap<>();
    route.put("input", input);
    route.put("output", output);
    if (!transforms.isEmpty()) {
      route.put("transforms", transforms);
    }
    client.require("start_route", Map.of("name", RUN, "route", route));
    JsonNode last =
        client.require("wait_route", Map.of("name", RUN, "timeout_ms", LONGEST_WAIT_MS)).value();
    double wall = (System.nanoTime() - begun) / 1e9;
    double used = ProcessUse.cpuSeconds(pid) - cpu;
    if (!last.path("outcome").asString("").equals("completed")
        || last.path("messages").asLong(-1) != rows) {
      throw new WrongOutputException("%s: %s".formatted(name, last));
    }
    check();
    return new Sample(wall, used, last.path("elapsed_s").asDouble(Double.NaN));
  }

  private void check() throws IOException {
    if (out == null) {
      return;
    }
    Digest made = Digest.of(out);
    Files.delete(out);
    boolean compressed = sha256 != null && sha256.isEmpty();
    if (!compressed && made.newlines() != rows) {
      throw new WrongOutputException("%s made %d lines".formatted(name, made.newlines()));
    }
    if (!compressed && sha256 != null && !made.sha256().equals(sha256)) {
      throw new WrongOutputException("%s made SHA-256 %s".formatted(name, made.sha256()));
    }
  }
}
