package dev.drover.bench.lab;

import dev.drover.bench.client.Fixture;
import dev.drover.bench.client.Latency;
import dev.drover.bench.client.McpClient;
import dev.drover.bench.client.Percentiles;
import dev.drover.bench.client.RouteJob;
import dev.drover.bench.client.RouteJob.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** A set of figures that come from the same runs. */
enum Suite {
  /** The published fixture, through the server and by the command line, against DuckDB. */
  FIXTURE {
    @Override
    List<Figure> measure(Session session) throws Exception {
      Input input = session.fixture();
      try (DuckDb duck = new DuckDb();
          McpClient client = session.openServer()) {
        Path out = session.output();
        Contestant other = new DuckContestant(duck, input, out);
        Contestant poll = new McpContestant(client, input, out, Waiting.POLL);
        Contestant wait = new McpContestant(client, input, out, Waiting.WAIT);
        Contestant copy = CopyContestant.of(session, input);
        Map<Contestant, List<Sample>> seen = session.alternate(List.of(other, poll, wait, copy));
        Series duckTimes = Series.ofSamples(samples(seen, other));
        List<Sample> waited = samples(seen, wait);
        return List.of(
            Figure.speedup(
                "fixture-poll",
                "untyped fixture through MCP, 50 ms polls: rows/s over DuckDB's",
                2,
                2.5,
                Series.ofSamples(samples(seen, poll)),
                duckTimes),
            Figure.speedup(
                "fixture-wait",
                "the same with `wait_route`",
                2.3,
                3.0,
                Series.ofSamples(waited),
                duckTimes),
            Figure.atMost(
                "told-elapsed",
                "client's wall clock minus the reply's `elapsed_s`, `wait_route`",
                "ms",
                10,
                3.0,
                Series.of(
                    waited.stream().map(s -> (s.wallSeconds() - s.toldSeconds()) * 1e3).toList())),
            Figure.share(
                "copy",
                "`drover copy`, whole process: time over DuckDB's in-process",
                0.7,
                0.45,
                Series.ofSamples(samples(seen, copy)),
                duckTimes));
      }
    }
  },

  /** Files unlike the fixture, against DuckDB. */
  SHAPES {
    @Override
    List<Figure> measure(Session session) throws Exception {
      List<Figure> figures = new ArrayList<>();
      for (Shape shape : Shape.values()) {
        String name = shape.name().toLowerCase(Locale.ROOT);
        session.say("  " + shape.title());
        Path csv = session.folder().resolve(name + ".csv");
        Input input = shape.write(csv, Math.max(1, shape.rows() * session.rows() / 1_000_000));
        try (DuckDb duck = new DuckDb();
            McpClient client = session.openServer()) {
          Contestant other = new DuckContestant(duck, input, session.output());
          Contestant wait = new McpContestant(client, input, session.output(), Waiting.WAIT);
          Map<Contestant, List<Sample>> seen = session.alternate(List.of(other, wait));
          figures.add(
              Figure.speedup(
                  "shape-" + name,
                  shape.title() + ", `wait_route`: rows/s over DuckDB's",
                  1.8,
                  2.5,
                  Series.ofSamples(samples(seen, wait)),
                  Series.ofSamples(samples(seen, other))));
        } finally {
          Files.deleteIfExists(csv);
        }
      }
      return figures;
    }
  },

  /** What types, projections and compression cost, against the untyped job of the same server. */
  TRANSFORMS {
    @Override
    List<Figure> measure(Session session) throws Exception {
      Input input = session.fixture();
      long rows = input.rows();
      Path lines = session.folder().resolve("fixture.jsonl");
      Path out = session.output();
      Path packed = session.folder().resolve("out.jsonl.zst");
      Map<String, ?> csv = RouteContestant.file(input.csv());
      String typedSha256 = Fixture.typedLinesSha256(rows);
      try (McpClient client = session.openServer()) {
        RouteContestant.prepare(client, csv, lines, "jsonl", rows);
        RouteMaker maker = new RouteMaker(client, rows);
        Contestant untyped = maker.to("untyped", csv, List.of(), out, input.linesSha256());
        Contestant typed = maker.to("typed", csv, List.of(TYPES), out, typedSha256);
        Contestant inferred = maker.to("infer", csv, List.of(Map.of("infer", Map.of())), out, null);
        Contestant projected =
            maker.to(
                "4 columns of JSON lines", RouteContestant.file(lines), List.of(FOUR), out, null);
        Contestant zstd = maker.to("zstd", csv, List.of(), packed, "");
        Map<Contestant, List<Sample>> seen =
            session.alternate(List.of(untyped, typed, inferred, projected, zstd));
        Series base = Series.ofSamples(samples(seen, untyped));
        String over = ": rows/s over untyped CSV to JSON lines";
        return List.of(
            own(
                "typed",
                "id as integer, attributes decoded" + over,
                0.9,
                samples(seen, typed),
                base),
            own("infer", "`infer`, then cast" + over, 0.6, samples(seen, inferred), base),
            own(
                "project",
                "4 of 7 columns, JSON lines both ways" + over,
                1.2,
                samples(seen, projected),
                base),
            own("zstd", "into zstd" + over, 0.6, samples(seen, zstd), base));
      } finally {
        Files.deleteIfExists(lines);
      }
    }
  },

  /** How fast each format and codec is read, against lines that are not looked into. */
  READING {
    @Override
    List<Figure> measure(Session session) throws Exception {
      Input input = session.fixture();
      long rows = input.rows();
      List<Path> made = new ArrayList<>();
      try (McpClient client = session.openServer()) {
        RouteMaker maker = new RouteMaker(client, rows);
        Map<String, ?> csv = RouteContestant.file(input.csv());
        Path lines = session.folder().resolve("fixture.jsonl");
        made.add(RouteContestant.prepare(client, csv, lines, "jsonl", rows));
        Map<String, Contestant> readers = new LinkedHashMap<>();
        readers.put("csv", maker.reading("csv", csv));
        for (String format : List.of("jsonl", "normal", "text", "json")) {
          Path path = session.folder().resolve("fixture." + format);
          made.add(RouteContestant.prepare(client, csv, path, format, rows));
          readers.put(format, maker.reading(format, RouteContestant.file(path, format)));
        }
        for (String codec : List.of("gz", "zst", "lz4")) {
          Path path = session.folder().resolve("packed.jsonl." + codec);
          made.add(RouteContestant.prepare(client, csv, path, "jsonl", rows));
          readers.put(codec, maker.reading("raw, " + codec, RouteContestant.file(path, "raw")));
        }
        Contestant raw = maker.reading("raw", RouteContestant.file(lines, "raw"));
        List<Contestant> all = new ArrayList<>(readers.values());
        all.addFirst(raw);
        Map<Contestant, List<Sample>> seen = session.alternate(all);
        Series base = Series.ofSamples(samples(seen, raw));
        List<Figure> figures = new ArrayList<>();
        for (Map.Entry<String, Contestant> each : readers.entrySet()) {
          figures.add(
              own(
                  "read-" + each.getKey(),
                  "%s into `null`: rows/s over raw lines into `null`"
                      .formatted(each.getValue().name()),
                  0.5,
                  samples(seen, each.getValue()),
                  base));
        }
        return figures;
      } finally {
        for (Path path : made) {
          Files.deleteIfExists(path);
        }
      }
    }
  },

  /** The first job of a fresh server. */
  COLD {
    private static final int WARM_JOBS = 5;

    @Override
    List<Figure> measure(Session session) throws Exception {
      Input input = session.fixture();
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < session.runs(); i++) {
        try (McpClient client = session.openServer()) {
          Contestant job = new McpContestant(client, input, session.output(), Waiting.WAIT);
          double first = job.run().wallSeconds();
          List<Double> next = new ArrayList<>();
          for (int j = 0; j < WARM_JOBS; j++) {
            next.add(job.run().wallSeconds());
          }
          ratios.add(first / Series.median(next));
          session.say(
              "  server %d: first %.3f s, then %.3f s"
                  .formatted(i + 1, first, Series.median(next)));
        }
      }
      return List.of(
          Figure.atMost(
              "cold",
              "first job of a fresh server over the median of its next five",
              "x",
              1.8,
              1.3,
              Series.of(ratios)));
    }
  },

  /** What a copy needs at most, and that it does not grow with the data. */
  MEMORY {
    private static final int MOST_RUNS = 3;

    @Override
    List<Figure> measure(Session session) throws Exception {
      List<Figure> figures = new ArrayList<>();
      for (int times : new int[] {1, 10}) {
        Path csv = session.folder().resolve("times" + times + ".csv");
        try {
          Input input = Input.fixture(csv, session.rows() * times);
          figures.add(
              Figure.atMost(
                  "memory-" + times,
                  "peak resident memory of `drover copy`, %,d rows".formatted(input.rows()),
                  "MiB",
                  100,
                  64.0,
                  peaks(session, CopyContestant.of(session, input))));
          figures.add(
              Figure.atMost(
                  "memory-typed-" + times,
                  "the same, id as integer and attributes decoded, %,d rows"
                      .formatted(input.rows()),
                  "MiB",
                  110,
                  null,
                  peaks(session, CopyContestant.typed(session, input))));
        } finally {
          Files.deleteIfExists(csv);
        }
      }
      return figures;
    }

    private static Series peaks(Session session, CopyContestant copy) throws Exception {
      List<Double> peaks = new ArrayList<>();
      for (int i = 0; i < Math.min(MOST_RUNS, session.runs()); i++) {
        peaks.add(copy.peakMib());
        session.say("  %,d rows: peak %.1f MiB".formatted(copy.input().rows(), peaks.getLast()));
      }
      return Series.of(peaks);
    }
  },

  /** How soon a server answers, and how long small calls take right after. */
  LATENCY {
    private static final int CALLS = 200;
    private static final int UNCOUNTED_SERVERS = 2;

    @Override
    List<Figure> measure(Session session) throws Exception {
      List<Double> ready = new ArrayList<>();
      List<Double> p50 = new ArrayList<>();
      List<Double> p95 = new ArrayList<>();
      List<Double> p99 = new ArrayList<>();
      for (int i = -UNCOUNTED_SERVERS; i < session.runs(); i++) {
        try (McpClient client = session.server()) {
          double seconds = client.initialize(McpClient.OLDEST_PROTOCOL).nanos() / 1e9;
          client.require("server_info", Map.of());
          Percentiles calls = Latency.statusCalls(client, CALLS);
          if (i < 0) {
            continue; // The client's own code gets warm.
          }
          ready.add(seconds);
          p50.add(calls.p50());
          p95.add(calls.p95());
          p99.add(calls.p99());
          session.say(
              "  server %d: ready after %.3f s, p50 %.3f p95 %.3f p99 %.3f ms"
                  .formatted(i + 1, seconds, calls.p50(), calls.p95(), calls.p99()));
        }
      }
      String what = "`route_status`, nothing running, first %d calls, ".formatted(CALLS);
      return List.of(
          Figure.atMost(
              "ready",
              "start of `drover mcp` to the `initialize` reply",
              "s",
              0.5,
              null,
              Series.of(ready)),
          Figure.atMost("status-p50", what + "p50", "ms", 0.08, 0.045, Series.of(p50)),
          Figure.atMost("status-p95", what + "p95", "ms", 0.3, 0.10, Series.of(p95)),
          Figure.atMost("status-p99", what + "p99", "ms", 2, 0.5, Series.of(p99)));
    }
  },

  /** What an agent pays in bytes. */
  BYTES {
    @Override
    List<Figure> measure(Session session) throws Exception {
      Input input = session.fixture();
      try (McpClient client = session.openServer()) {
        double tools = client.request("tools/list", "{}").replyBytes();
        RouteJob job =
            new RouteJob(
                "mcp_bench_0", input.csv(), session.output(), OptionalInt.of(1), Waiting.POLL);
        RouteJob.Result result = job.run(client, Duration.ofMinutes(4), rowsSoFar -> {});
        input.check("Drover", session.output());
        session.say("  tools/list %.0f, three calls %d".formatted(tools, result.agentBytes()));
        return List.of(
            Figure.atMost(
                "agent-bytes",
                "start + last status + stop: all JSON-RPC bytes both ways, 2024-11-05, paths of %d characters"
                    .formatted(job.csv().toString().length()),
                "bytes",
                1250,
                null,
                Series.of(List.of((double) result.agentBytes()))),
            Figure.atMost(
                "tools-list",
                "`tools/list` reply",
                "bytes",
                6000,
                null,
                Series.of(List.of(tools))));
      }
    }
  },

  /** The launcher's own cost. */
  VERSION {
    @Override
    List<Figure> measure(Session session) throws Exception {
      List<Double> times = new ArrayList<>();
      for (int i = 0; i < session.runs(); i++) {
        long begun = System.nanoTime();
        int code =
            new ProcessBuilder(session.command("version"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (code != 0) {
          throw new WrongOutputException("drover version ended with " + code);
        }
        times.add((System.nanoTime() - begun) / 1e9);
      }
      return List.of(
          Figure.atMost(
              "version", "`drover version`, whole process", "s", 0.25, null, Series.of(times)));
    }
  };

  private static final Map<String, ?> TYPES =
      Map.of(
          "cast",
          Map.of(
              "schema",
              Map.of(
                  "properties",
                  Map.of(
                      "id", Map.of("type", "integer"),
                      "attributes", Map.of("contentMediaType", "application/json")))));

  private static final Map<String, ?> FOUR =
      Map.of("select", Map.of("keep", List.of("id", "first_name", "country", "amount")));

  private static Figure own(
      String id, String what, double bound, List<Sample> samples, Series other) {
    return Figure.speedup(id, what, bound, null, Series.ofSamples(samples), other);
  }

  /** Runs everything and returns the figures in table order. */
  abstract List<Figure> measure(Session session) throws Exception;

  private static List<Sample> samples(Map<Contestant, List<Sample>> seen, Contestant of)
      throws IOException {
    List<Sample> samples = seen.get(of);
    if (samples == null) {
      throw new IllegalStateException(of.name() + " took no part");
    }
    return samples;
  }
}
