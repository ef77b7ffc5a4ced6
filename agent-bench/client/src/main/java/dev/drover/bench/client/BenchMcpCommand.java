package dev.drover.bench.client;

import dev.drover.bench.client.RouteJob.Waiting;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Measures a server from the outside; {@code mcp_bench.py} is the same in Python. */
@Command(
    name = "mcp",
    sortOptions = false,
    description = {
      "Measures an MCP server over stdio: tool-call latency, then routes over the fixture.",
      "Checks row count and SHA-256 of each output."
    },
    footer = {
      "",
      "Examples:",
      "  drover bench mcp",
      "  drover bench mcp --wait --routes 5 --json result.json",
      "  drover bench mcp --csv /data/bench.csv --concurrency 1"
    })
final class BenchMcpCommand implements Callable<Integer> {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "the fixture; made when it is missing or wrong (default: a temporary file)")
  private @Nullable Path csv;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "output of the routes, overwritten (default: a temporary file)")
  private @Nullable Path out;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "rows of the fixture, 1 to 100000000 (default: ${DEFAULT-VALUE})")
  private long rows;

  @Option(
      names = "--routes",
      paramLabel = "N",
      defaultValue = "2",
      description = "routes to run, one after the other (default: ${DEFAULT-VALUE})")
  private int routes;

  @Option(
      names = "--latency-calls",
      paramLabel = "N",
      defaultValue = "200",
      description = "calls of route_status to time (default: ${DEFAULT-VALUE})")
  private int latencyCalls;

  @Option(names = "--wait", description = "use wait_route instead of route_status every 50 ms")
  private boolean wait;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "decoding workers (default: the server's)")
  private @Nullable Integer concurrency;

  @Option(
      names = "--protocol",
      paramLabel = "REVISION",
      defaultValue = McpClient.OLDEST_PROTOCOL,
      description = "MCP revision to ask for (default: ${DEFAULT-VALUE})")
  private String protocol = McpClient.OLDEST_PROTOCOL;

  @Option(names = "--json", paramLabel = "FILE", description = "write the result there too")
  private @Nullable Path json;

  @Option(
      names = "--server",
      paramLabel = "COMMAND",
      description = "command of the server, words parted by spaces (default: this Drover)")
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
    if (rows < 1 || rows > 100_000_000) {
      throw new ParameterException(
          spec.commandLine(), "--rows must be 1 to 100000000, not " + rows);
    }
    if (routes < 0 || latencyCalls < 1) {
      throw new ParameterException(
          spec.commandLine(), "--routes must be at least 0, --latency-calls at least 1");
    }
    try (TemporaryFolder folder = TemporaryFolder.create("drover-bench")) {
      Path input = csv == null ? folder.path().resolve("bench.csv") : csv.toAbsolutePath();
      Path output = out == null ? folder.path().resolve("out.jsonl") : out.toAbsolutePath();
      Fixture.ensure(input, rows);
      Map<String, Object> result = measure(input, output);
      String text = JSON.writeValueAsString(result);
      spec.commandLine().getOut().println(text);
      spec.commandLine().getOut().flush();
      if (json != null) {
        Files.writeString(json, text + "\n");
      }
    }
    return 0;
  }

  private Map<String, Object> measure(Path input, Path output) throws IOException {
    Path root = input.resolveSibling("");
    List<String> command = new ArrayList<>(ServerCommand.resolve(server, root));
    if (server == null && !output.startsWith(root)) {
      command.addAll(List.of("--root", output.resolveSibling("").toString()));
    }
    Map<String, Object> result = new LinkedHashMap<>();
    try (McpClient client =
        McpClient.start(command, Duration.ofMinutes(5), ProcessBuilder.Redirect.INHERIT)) {
      McpClient.Reply opened = client.initialize(protocol);
      McpClient.Reply info = client.require("server_info", Map.of());
      if (!info.value().path("profile").asString("").equals("release")) {
        throw new McpException("not a release build: server_info says " + info.value());
      }
      Percentiles latency = Latency.statusCalls(client, latencyCalls);
      result.put("server", info.value().path("name").asString("?"));
      result.put("version", info.value().path("version").asString("?"));
      result.put("protocol", opened.value().path("protocolVersion").asString("?"));
      result.put("start_to_initialize_ms", round(opened.nanos() / 1e6));
      result.put("route_status_ms", latency(latency));
      result.put("tools_list_bytes", client.request("tools/list", "{}").replyBytes());
      List<Map<String, Object>> jobs = new ArrayList<>();
      for (int i = 0; i < routes; i++) {
        jobs.add(job(client, i, input, output));
      }
      result.put("routes", jobs);
    }
    return result;
  }

  private Map<String, Object> job(McpClient client, int i, Path input, Path output)
      throws IOException {
    RouteJob job =
        new RouteJob(
            "mcp_bench_" + i,
            input,
            output,
            concurrency == null ? OptionalInt.empty() : OptionalInt.of(concurrency),
            wait ? Waiting.WAIT : Waiting.POLL);
    RouteJob.Result done = job.run(client, Duration.ofMinutes(4), rowsSoFar -> {});
    Digest made = Digest.of(output);
    Files.delete(output);
    String expected = Fixture.linesSha256(rows);
    if (done.rows() != rows || made.newlines() != rows || !made.sha256().equals(expected)) {
      throw new McpException(
          "wrong output: %d rows told, %d lines, SHA-256 %s; expected %d rows, %s"
              .formatted(done.rows(), made.newlines(), made.sha256(), rows, expected));
    }
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "%s  %.3f s  %,.0f rows/s".formatted(job.name(), done.wallSeconds(), done.rowsPerSecond()));
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("name", job.name());
    told.put("waiting", job.waiting().name().toLowerCase(Locale.ROOT));
    told.put("rows", done.rows());
    told.put("wall_s", round(done.wallSeconds()));
    told.put("rows_per_s", Math.round(done.rowsPerSecond()));
    told.put("server_elapsed_s", orNull(done.serverSeconds()));
    told.put("server_rows_per_s", orNull(done.serverAverage()));
    told.put("status_calls", done.statusCalls());
    told.put("bytes", bytes(done));
    told.put("sha256", made.sha256());
    return told;
  }

  private static Map<String, Object> bytes(RouteJob.Result done) {
    Map<String, Object> bytes = new LinkedHashMap<>();
    bytes.put("start_route", pair(done.start()));
    bytes.put("last_status", pair(done.status()));
    bytes.put("stop_route", pair(done.stop()));
    bytes.put("total", done.agentBytes());
    return bytes;
  }

  private static List<Long> pair(McpClient.Reply reply) {
    return List.of(reply.requestBytes(), reply.replyBytes());
  }

  private static Map<String, Object> latency(Percentiles latency) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("calls", latency.count());
    told.put("min", round(latency.min()));
    told.put("p50", round(latency.p50()));
    told.put("p95", round(latency.p95()));
    told.put("p99", round(latency.p99()));
    told.put("max", round(latency.max()));
    return told;
  }

  private static @Nullable Double orNull(double value) {
    return Double.isNaN(value) ? null : round(value);
  }

  private static double round(double value) {
    return Math.round(value * 10_000) / 10_000.0;
  }
}
