package dev.drover.bench.lab;

import dev.drover.bench.client.Fixture;
import dev.drover.bench.client.TemporaryFolder;
import dev.drover.bench.lab.faults.FaultsCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Drover and DuckDB side by side and keeps the table. */
@Command(
    name = "bench",
    subcommands = FaultsCommand.class,
    sortOptions = false,
    description = {
      "Compares Drover with DuckDB on CSV to JSON lines, in alternating runs, and measures",
      "latency, memory, start-up and bytes. Needs Linux, 4 GB of disk and about 10 minutes.",
      "A run of everything with at least 9 runs and 1000000 rows, on a quiet machine, writes",
      "agent-bench/results/ and the table in README.md.",
      "`drover bench mcp` measures a server from the outside, without DuckDB;",
      "`drover bench faults` kills routes and starts them again."
    },
    footer = {
      "",
      "Examples:",
      "  drover bench",
      "  drover bench --only latency,bytes",
      "  drover bench --runs 3 --rows 100000 --only fixture"
    })
final class BenchCommand implements Callable<Integer> {
  /** Fewer runs, other rows or some suites only are for looking, not for showing. */
  private static final int PUBLISHED_RUNS = 9;

  /** What others may use while results are made that are shown; the kernel's writing counts. */
  private static final double QUIET_CORES = 0.2;

  private static final String TITLE = "CSV to JSON lines: figures";

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "9",
      description = "counted runs of each contestant, 1 to 99 (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "rows of the fixture, 1 to 10000000 (default: ${DEFAULT-VALUE})")
  private long rows;

  @Option(
      names = "--only",
      paramLabel = "SUITE",
      split = ",",
      description = "some of: ${COMPLETION-CANDIDATES}; nothing is written then")
  private List<Suite> only = new ArrayList<>();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "folder for the large files, removed after (default: the temporary folder)")
  private @Nullable Path dir;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "write the results there, whatever ran")
  private @Nullable Path results;

  @Option(
      names = "--launcher",
      paramLabel = "COMMAND",
      description = "first words of the command line to measure (default: this Drover)")
  private @Nullable String launcher;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  boolean help;

  /** Set by picocli. */
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    if (runs < 1 || runs > 99 || rows < 1 || rows > 10_000_000) {
      throw new ParameterException(
          spec.commandLine(), "--runs must be 1 to 99 and --rows 1 to 10000000");
    }
    if (!Files.isReadable(Path.of("/proc/self/stat"))) {
      throw new ParameterException(
          spec.commandLine(), "this needs Linux's /proc; `drover bench mcp` works without");
    }
    List<String> command = Session.launcher(launcher);
    Path root = Path.of(command.getFirst()).toAbsolutePath().resolveSibling("").normalize();
    Neighbours neighbours = Neighbours.watch();
    try (TemporaryFolder folder =
        dir == null
            ? TemporaryFolder.create("drover-lab")
            : TemporaryFolder.create(Files.createDirectories(dir), "drover-lab")) {
      Session session =
          new Session(folder.path(), runs, rows, command, spec.commandLine().getErr());
      List<Figure> figures = new ArrayList<>();
      for (Suite suite : only.isEmpty() ? List.of(Suite.values()) : only) {
        session.say(suite.name().toLowerCase(Locale.ROOT));
        figures.addAll(suite.measure(session));
      }
      Report report =
          new Report(TITLE, MachineReader.read(session, root, neighbours), runs, rows, figures);
      spec.commandLine().getOut().println(ResultTable.full(report));
      spec.commandLine().getOut().flush();
      keep(report, root);
    }
    return 0;
  }

  private void keep(Report report, Path root) throws IOException {
    if (results != null) {
      Results.write(results, report);
      return;
    }
    if (!only.isEmpty() || runs < PUBLISHED_RUNS || rows != Fixture.DEFAULT_ROWS) {
      return;
    }
    double others = report.machine().othersCores();
    if (others > QUIET_CORES) {
      spec.commandLine()
          .getErr()
          .printf(
              "drover: other programs used %.2f cores meanwhile, so that the ratios flatter whoever"
                  + " needs fewer cores; results not kept. Run again on a quiet machine, or give"
                  + " --results.%n",
              others);
      return;
    }
    Results.write(root.resolve("agent-bench/results"), report);
    Path readme = root.resolve("README.md");
    if (Files.exists(readme)) {
      Files.writeString(readme, Results.embedded(Files.readString(readme), report));
    }
  }
}
