package dev.drover.bench.lab;

import dev.drover.bench.client.McpClient;
import dev.drover.bench.client.RouteJob;
import dev.drover.bench.client.RouteJob.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;

/** A job through a running MCP server, by the client's clock. */
record McpContestant(McpClient client, Input input, Path out, Waiting waiting)
    implements Contestant {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(4);

  @Override
  public String name() {
    return switch (waiting) {
      case POLL -> "Drover, MCP, 50 ms polls";
      case WAIT -> "Drover, MCP, wait_route";
    };
  }

  @Override
  public Sample run() throws IOException {
    RouteJob job = new RouteJob("bench", input.csv(), out, OptionalInt.empty(), waiting);
    long pid = client.server().pid();
    double cpu = ProcessUse.cpuSeconds(pid);
    RouteJob.Result result = job.run(client, LONGEST_WAIT, rowsSoFar -> {});
    double used = ProcessUse.cpuSeconds(pid) - cpu;
    if (result.rows() != input.rows()) {
      throw new WrongOutputException(
          "the server told %d rows instead of %d".formatted(result.rows(), input.rows()));
    }
    input.check(name(), out);
    return new Sample(result.wallSeconds(), used, result.serverSeconds());
  }
}
