package dev.drover.bench.lab.faults;

import dev.drover.bench.lab.Series;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.spi.Guarantee;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What exactly-once costs on a file that is added to, with commits that wait for the disk: runs of
 * either guarantee in turn, in one process.
 *
 * @param bytes of output of each run
 * @param leastCommits of any run
 * @param exactly seconds of the runs that are exactly-once
 * @param atLeast seconds of the others
 */
record CommitCost(long bytes, int leastCommits, Series exactly, Series atLeast) {

  /** Exactly-once must be so fast beside the other. */
  static final double LEAST_RATIO = 0.85;

  /** Fewer commits would show too little of what they cost. */
  static final int LEAST_COMMITS = 20;

  /** Enough for 20 commits of {@code max_uncommitted_bytes}, and more. */
  private static final long BYTES = 1_500_000_000;

  private static final int ROW_BYTES = 250;
  private static final Duration LOOK = Duration.ofMillis(1);

  private record Timed(double seconds, int commits) {}

  /** Runs each so often, and once more that does not count. */
  static CommitCost measure(Path folder, int runs, PrintWriter log)
      throws IOException, InterruptedException, BreachException {
    Files.createDirectories(folder);
    Map<Guarantee, List<Double>> seconds = new EnumMap<>(Guarantee.class);
    int least = Integer.MAX_VALUE;
    for (int run = -1; run < runs; run++) {
      List<Guarantee> order = new ArrayList<>(List.of(Guarantee.values()));
      if (run % 2 != 0) {
        order = order.reversed();
      }
      for (Guarantee guarantee : order) {
        Timed timed = once(folder, guarantee);
        log.printf(
            Locale.ROOT,
            "  %s: %.3f s, %d commits%n",
            guarantee.name().toLowerCase(Locale.ROOT),
            timed.seconds(),
            timed.commits());
        log.flush();
        if (run >= 0) {
          seconds.computeIfAbsent(guarantee, none -> new ArrayList<>()).add(timed.seconds());
          least = Math.min(least, timed.commits());
        }
      }
    }
    return new CommitCost(
        BYTES,
        least,
        Series.of(seconds.getOrDefault(Guarantee.EXACTLY_ONCE, List.of())),
        Series.of(seconds.getOrDefault(Guarantee.AT_LEAST_ONCE, List.of())));
  }

  private static Timed once(Path folder, Guarantee guarantee)
      throws IOException, InterruptedException, BreachException {
    Path out = folder.resolve("out.jsonl");
    Files.deleteIfExists(out);
    String text = "x".repeat(ROW_BYTES - "{\"text\":\"\"}\n".length());
    Map<String, Object> route = new LinkedHashMap<>();
    route.put(
        "input",
        Map.of("static", Map.of("body", Map.of("text", text), "count", BYTES / ROW_BYTES)));
    route.put(
        "output",
        Map.of("file", Map.of("path", out.toString(), "write_mode", "append", "fsync", "commit")));
    route.put("resume", true);
    route.put("delivery", guarantee.name().toLowerCase(Locale.ROOT));
    route.put("commit_interval_ms", 1000);
    try (OneRoute one = OneRoute.open(folder.resolve("state"))) {
      Run run = one.start(route);
      int commits = 0;
      long committed = 0;
      boolean ended = false;
      while (!ended) {
        ended = run.await(LOOK);
        long now = run.status().committed();
        commits += now > committed ? 1 : 0;
        committed = now;
      }
      if (run.status().state() != RunState.COMPLETED || Files.size(out) != BYTES) {
        throw new BreachException("a measured run failed: " + run.status());
      }
      return new Timed(run.status().elapsedSeconds(), commits);
    } finally {
      Files.deleteIfExists(out);
    }
  }

  /** Rows a second of exactly-once over those of at-least-once. */
  double ratio() {
    return Math.round(1000 * atLeast.median() / exactly.median()) / 1000.0;
  }

  boolean acceptable() {
    return ratio() >= LEAST_RATIO && leastCommits >= LEAST_COMMITS;
  }

  /** A row for people. */
  String text() {
    return "exactly-once over at-least-once, rows a second: %.3f× (bound %.2f×); %d runs each in turn of %,d MB, fsync: commit, at least %d commits a run; medians %.3f s (%.3f to %.3f) and %.3f s (%.3f to %.3f)"
        .formatted(
            ratio(),
            LEAST_RATIO,
            exactly.values().size(),
            bytes / 1_000_000,
            leastCommits,
            exactly.median(),
            exactly.min(),
            exactly.max(),
            atLeast.median(),
            atLeast.min(),
            atLeast.max());
  }
}
