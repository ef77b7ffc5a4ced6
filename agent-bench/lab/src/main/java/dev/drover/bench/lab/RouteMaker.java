package dev.drover.bench.lab;

import dev.drover.bench.client.McpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes contestants that are routes of one server over as many rows.
 *
 * @param rows of each input
 */
record RouteMaker(McpClient client, long rows) {
  /** A route into a file; see {@link RouteContestant} for {@code sha256}. */
  Contestant to(
      String name,
      Map<String, ?> input,
      List<Map<String, ?>> transforms,
      Path out,
      @Nullable String sha256) {
    return new RouteContestant(
        client, name, input, transforms, RouteContestant.file(out), rows, out, sha256);
  }

  /** A route that only reads. */
  Contestant reading(String name, Map<String, ?> input) {
    return new RouteContestant(
        client, name, input, List.of(), RouteContestant.nowhere(), rows, null, null);
  }
}
