package dev.drover.bench.client;

import dev.drover.bench.client.RouteJob.Waiting;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Shows the whole thing: a fixture, a server, three calls, a verified result. */
@Command(
    name = "demo",
    sortOptions = false,
    description = {
      "Moves a million CSV rows to JSON lines through the MCP server, as an agent would:",
      "start_route, wait_route, stop_route. Verifies the result and prints what it took."
    },
    footer = {
      "",
      "Examples:",
      "  drover demo",
      "  drover demo --rows 100000",
      "  drover demo --dir /tmp/drover-demo    (keeps the files)"
    })
final class DemoCommand implements Callable<Integer> {
  private static final int LATENCY_CALLS = 200;
  private static final Duration PROGRESS_EVERY = Duration.ofMillis(500);

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "rows of the fixture, 1 to 100000000 (default: ${DEFAULT-VALUE})")
  private long rows;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "folder for the files, which stay there (default: a temporary one, removed)")
  private @Nullable Path dir;

  @Option(
      names = "--server",
      paramLabel = "COMMAND",
      description = "command of another MCP server to drive (default: this Drover)")
  private @Nullable String server;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  boolean help;

  /** Set by picocli. */
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    CommandLine commandLine = spec.commandLine();
    if (rows < 1 || rows > 100_000_000) {
      throw new ParameterException(commandLine, "--rows must be 1 to 100000000, not " + rows);
    }
    PrintWriter out = commandLine.getOut();
    if (dir != null) {
      return demo(Files.createDirectories(dir).toRealPath(), out);
    }
    try (TemporaryFolder folder = TemporaryFolder.create("drover-demo")) {
      return demo(folder.path(), out);
    }
  }

  private int demo(Path folder, PrintWriter out) throws IOException {
    Path csv = folder.resolve("bench.csv");
    Path lines = folder.resolve("bench.jsonl");
    say(out, "fixture", "%,d rows in %s".formatted(rows, csv));
    long begun = System.nanoTime();
    boolean kept = Fixture.ensure(csv, rows);
    say(
        out,
        "",
        "%,d bytes, %s %s"
            .formatted(
                Files.size(csv),
                kept
                    ? "there already,"
                    : "made in %.1f s,".formatted((System.nanoTime() - begun) / 1e9),
                rows == Fixture.DEFAULT_ROWS
                    ? "SHA-256 as published"
                    : "a length without a published SHA-256"));
    try (McpClient client =
        McpClient.start(
            ServerCommand.resolve(server, folder),
            Duration.ofMinutes(2),
            ProcessBuilder.Redirect.INHERIT)) {
      return drive(client, csv, lines, out);
    }
  }

  private int drive(McpClient client, Path csv, Path lines, PrintWriter out) throws IOException {
    McpClient.Reply opened = client.initialize(McpClient.OLDEST_PROTOCOL);
    JsonNode info = opened.value().path("serverInfo");
    say(
        out,
        "server",
        "%s %s, MCP %s over stdio, ready %.2f s after start"
            .formatted(
                info.path("name").asString("?"),
                info.path("version").asString("?"),
                opened.value().path("protocolVersion").asString("?"),
                opened.nanos() / 1e9));
    client.require("server_info", Map.of());
    Percentiles latency = Latency.statusCalls(client, LATENCY_CALLS);

    say(out, "route", "start_route, wait_route");
    RouteJob job = new RouteJob("demo", csv, lines, OptionalInt.empty(), Waiting.WAIT);
    RouteJob.Result result =
        job.run(
            client,
            PROGRESS_EVERY,
            done -> say(out, "", "%,d rows, %.0f %%".formatted(done, 100.0 * done / rows)));
    say(out, "", result.status().value().path("outcome").asString("?") + ", stop_route");

    Digest made = Digest.of(lines);
    boolean right = made.sha256().equals(Fixture.linesSha256(rows)) && result.rows() == rows;
    say(
        out,
        "check",
        "%s: %,d lines, SHA-256 %s"
            .formatted(
                right ? "every byte is right" : "WRONG OUTPUT", made.newlines(), made.sha256()));
    table(out, result, latency, Files.size(csv) + made.bytes());
    return right ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private static void table(
      PrintWriter out, RouteJob.Result result, Percentiles latency, long moved) {
    out.println();
    row(
        out,
        "rows/s by the client's clock",
        "%,.0f   (%.3f s)".formatted(result.rowsPerSecond(), result.wallSeconds()));
    row(
        out,
        "rows/s by the server's own count",
        "%,.0f   (%.3f s)".formatted(result.serverAverage(), result.serverSeconds()));
    row(
        out,
        "time of a tool call (%d route_status)".formatted(latency.count()),
        "p50 %.3f   p95 %.3f   p99 %.3f ms".formatted(latency.p50(), latency.p95(), latency.p99()));
    row(
        out,
        "bytes of the agent's three calls",
        "%,d   (about %,d tokens)".formatted(result.agentBytes(), result.agentBytes() / 4));
    row(
        out,
        "bytes moved",
        "%,d   (%,d for each byte that the agent saw)"
            .formatted(moved, moved / result.agentBytes()));
    out.flush();
  }

  private static void say(PrintWriter out, String what, String text) {
    out.println("  %-8s %s".formatted(what, text));
    out.flush();
  }

  private static void row(PrintWriter out, String what, String text) {
    out.println("  %-38s %s".formatted(what, text));
  }
}
