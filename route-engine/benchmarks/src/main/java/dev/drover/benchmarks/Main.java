package dev.drover.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs the benchmarks, or what the arguments say as JMH knows them. With {@code --results FILE} as
 * the first two, a table of what was measured is written there.
 */
public final class Main {

  private static final String RESULTS = "--results";

  private Main() {}

  /** See the class. */
  public static void main(String[] args)
      throws RunnerException, CommandLineOptionException, IOException {
    boolean kept = args.length >= 2 && args[0].equals(RESULTS);
    String[] rest = kept ? List.of(args).subList(2, args.length).toArray(String[]::new) : args;
    Collection<RunResult> results = new Runner(new CommandLineOptions(rest)).run();
    if (kept) {
      Files.writeString(Path.of(args[1]), table(results));
    }
  }

  private static String table(Collection<RunResult> results) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Parts of the engine: figures

        Written by the benchmarks of `route-engine/benchmarks` (JMH); do not edit. Milliseconds of one thread for some 16 MiB of CSV, \
        or for the rows of it; smaller is better.

        | benchmark | file | ms | ± (99.9 %) |
        |---|---|---|---|
        """);
    for (RunResult each : results) {
      Result<?> result = each.getPrimaryResult();
      String name = each.getParams().getBenchmark().replaceFirst("^.*\\.(\\w+\\.\\w+)$", "$1");
      String shape = String.valueOf(each.getParams().getParam("shape"));
      text.append(
          String.format(
              Locale.ROOT,
              "| `%s` | %s | %.2f | %.2f |%n",
              name,
              shape.equals("null") ? "orders" : shape.toLowerCase(Locale.ROOT),
              result.getScore(),
              result.getScoreError()));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%nJDK %s; %s, %d cores; %s.%n",
            System.getProperty("java.vm.version"),
            processor(),
            Runtime.getRuntime().availableProcessors(),
            LocalDate.now(ZoneOffset.UTC)));
    return text.toString();
  }

  private static String processor() throws IOException {
    Path facts = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(facts)) {
      return System.getProperty("os.arch");
    }
    try (Stream<String> lines = Files.lines(facts)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    }
  }
}
