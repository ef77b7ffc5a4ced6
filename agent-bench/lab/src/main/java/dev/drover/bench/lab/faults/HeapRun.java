package dev.drover.bench.lab.faults;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generated rows into a sink that is slower than the reader, in a process with a small heap.
 *
 * @param bytes of rows that were moved
 * @param heapMib of the process
 * @param samples how often it was looked at
 * @param mostUsedMib most that was used after a collection
 * @param mostAheadMib most that was read and not answered yet
 */
record HeapRun(long bytes, int heapMib, int samples, double mostUsedMib, double mostAheadMib) {

  /** What the heap may hold, of which {@link #MOST_AHEAD_MIB} are rows on their way. */
  static final int MOST_USED_MIB = 48;

  /** The default of {@code max_in_flight_bytes}, and one chunk that may always be read. */
  static final int MOST_AHEAD_MIB = 18;

  private static final int HEAP_MIB = 64;
  private static final int ROW_BYTES = 1000;
  private static final int ANSWER_MILLIS = 3;
  private static final double MIB = 1 << 20;

  /**
   * Moves so many bytes.
   *
   * @throws BreachException if not all arrives, or the heap is not flat
   */
  static HeapRun of(Path folder, long bytes)
      throws IOException, InterruptedException, BreachException {
    String text = "x".repeat(ROW_BYTES - "{\"text\":\"\"}\n".length());
    long rows = bytes / ROW_BYTES;
    try (Ledger ledger = Ledger.open()) {
      LedgerBook book = ledger.book("heap");
      book.countSlowly(ANSWER_MILLIS);
      Map<String, Object> route = new LinkedHashMap<>();
      route.put("input", Map.of("static", Map.of("body", Map.of("text", text), "count", rows)));
      route.put("output", Map.of("ledger", Map.of("port", ledger.port(), "book", "heap")));
      Files.createDirectories(folder);
      Path file = Files.write(folder.resolve("route"), RouteText.lines(route));
      List<String> said = run(file, folder.resolve("state"));
      if (!said.getLast().equals(RouteProcess.ENDED + "well") || book.length() != bytes) {
        throw new BreachException(
            "%,d of %,d bytes arrived; %s".formatted(book.length(), bytes, said.getLast()));
      }
      return of(bytes, said);
    }
  }

  private static HeapRun of(long bytes, List<String> said) throws BreachException {
    List<long[]> samples = new ArrayList<>();
    for (String line : said) {
      if (line.startsWith(HeapProcess.SAMPLE)) {
        String[] words = line.split(" ", 3);
        samples.add(new long[] {Long.parseLong(words[1]), Long.parseLong(words[2])});
      }
    }
    double used = samples.stream().mapToLong(sample -> sample[0]).max().orElse(0) / MIB;
    double ahead = samples.stream().mapToLong(sample -> sample[1]).max().orElse(0) / MIB;
    HeapRun seen = new HeapRun(bytes, HEAP_MIB, samples.size(), round(used), round(ahead));
    if (used > MOST_USED_MIB || ahead > MOST_AHEAD_MIB) {
      throw new BreachException("the heap is not flat: " + seen);
    }
    return seen;
  }

  private static double round(double value) {
    return Math.round(value * 10) / 10.0;
  }

  private static List<String> run(Path route, Path state) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MIB + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HeapProcess.class.getName(),
                route.toString(),
                state.toString())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    try {
      List<String> said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .toList();
      process.waitFor();
      return said.isEmpty() ? List.of("it said nothing") : said;
    } finally {
      process.destroyForcibly();
    }
  }

  /** A row for people. */
  String text() {
    return "%,d MB of generated rows into a slow sink with -Xmx%dm: at most %.1f MiB used after a collection (bound %d), %.1f MiB read ahead of the sink (bound %d), %d samples"
        .formatted(
            bytes / 1_000_000,
            heapMib,
            mostUsedMib,
            MOST_USED_MIB,
            mostAheadMib,
            MOST_AHEAD_MIB,
            samples);
  }
}
