package dev.drover.bench.client;

import java.io.IOException;
import java.util.Map;

/** How long small tool calls take. */
public final class Latency {
  private Latency() {}

  /**
   * Milliseconds of {@code calls} calls of {@code route_status} without arguments, one after the
   * other.
   */
  public static Percentiles statusCalls(McpClient client, int calls) throws IOException {
    double[] millis = new double[calls];
    for (int i = 0; i < calls; i++) {
      millis[i] = client.require("route_status", Map.of()).nanos() / 1e6;
    }
    return Percentiles.of(millis);
  }
}
