package dev.drover.bench.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongConsumer;
import tools.jackson.databind.JsonNode;

/**
 * One CSV to JSON lines job, driven as an agent drives it: start, wait for the end, stop.
 *
 * @param name of the route
 * @param csv the input
 * @param out the output; a file there is deleted before the job starts
 * @param concurrency decoding workers; empty leaves it to the server
 * @param waiting how the client learns of the end
 */
public record RouteJob(String name, Path csv, Path out, OptionalInt concurrency, Waiting waiting) {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int BATCH_ROWS = 1024;

  /** How a client learns that a route has ended. */
  public enum Waiting {
    /** {@code route_status} every 50 ms. */
    POLL,
    /** {@code wait_route}, which answers when the route ends. */
    WAIT
  }

  /**
   * What a job took.
   *
   * @param wallSeconds by the client's clock, from before {@code start_route} was sent until the
   *     first reply that says {@code finished}
   * @param serverSeconds {@code elapsed_s} of the last status; NaN if the server gave none
   * @param serverAverage {@code average_messages_per_second}; NaN if the server gave none
   * @param rows {@code messages} of {@code stop_route}
   * @param start the reply to {@code start_route}
   * @param status the last status
   * @param stop the reply to {@code stop_route}
   * @param statusCalls how often the client asked
   */
  public record Result(
      double wallSeconds,
      double serverSeconds,
      double serverAverage,
      long rows,
      McpClient.Reply start,
      McpClient.Reply status,
      McpClient.Reply stop,
      int statusCalls) {
    /** Bytes both ways of the three calls that an agent needs. */
    public long agentBytes() {
      return start.bytes() + status.bytes() + stop.bytes();
    }

    /** Rows a second by the client's clock. */
    public double rowsPerSecond() {
      return rows / wallSeconds;
    }
  }

  /**
   * Runs the job.
   *
   * @param longestWait of one {@code wait_route}
   * @param progress told the rows so far after each status that is not the last
   * @throws McpException when the route does not complete, or not within 5 minutes
   */
  public Result run(McpClient client, Duration longestWait, LongConsumer progress)
      throws IOException {
    Files.deleteIfExists(out);
    long begun = System.nanoTime();
    McpClient.Reply start = client.require("start_route", arguments());
    McpClient.Reply status = status(client, longestWait);
    int calls = 1;
    while (!status.value().path("finished").asBoolean(false)) {
      if (System.nanoTime() - begun > LIMIT.toNanos()) {
        throw new McpException("route " + name + " did not end within " + LIMIT.toSeconds() + " s");
      }
      progress.accept(status.value().path("messages").asLong(0));
      if (waiting == Waiting.POLL) {
        pause();
      }
      status = status(client, longestWait);
      calls++;
    }
    double wall = (System.nanoTime() - begun) / 1e9;
    JsonNode last = status.value();
    if (!last.path("outcome").asString("").equals("completed")) {
      throw new McpException("route " + name + " did not complete: " + last);
    }
    McpClient.Reply stop = client.require("stop_route", Map.of("name", name));
    return new Result(
        wall,
        last.path("elapsed_s").asDouble(Double.NaN),
        last.path("average_messages_per_second").asDouble(Double.NaN),
        stop.value().path("messages").asLong(-1),
        start,
        status,
        stop,
        calls);
  }

  private McpClient.Reply status(McpClient client, Duration longestWait) throws IOException {
    return switch (waiting) {
      case POLL -> client.require("route_status", Map.of("name", name));
      case WAIT -> {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("name", name);
        arguments.put("timeout_ms", longestWait.toMillis());
        yield client.require("wait_route", arguments);
      }
    };
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new McpException("interrupted while waiting for a route");
    }
  }

  private Map<String, Object> arguments() {
    Map<String, Object> route = new LinkedHashMap<>();
    route.put("input", Map.of("file", endpoint(csv, "csv")));
    route.put("output", Map.of("file", endpoint(out, "raw")));
    route.put("exit_on_empty", true);
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("name", name);
    arguments.put("route", route);
    arguments.put("batch_size", BATCH_ROWS);
    concurrency.ifPresent(n -> arguments.put("concurrency", n));
    return arguments;
  }

  private static Map<String, Object> endpoint(Path path, String format) {
    Map<String, Object> endpoint = new LinkedHashMap<>();
    endpoint.put("path", path.toString());
    endpoint.put("format", format);
    return endpoint;
  }
}
