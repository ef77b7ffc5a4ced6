package dev.drover.bench.lab.faults;

import dev.drover.bench.client.TemporaryFolder;
import dev.drover.bench.lab.MachineReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Kills routes, starts them again and compares what is left with what must be. */
@Command(
    name = "faults",
    sortOptions = false,
    description = {
      "Kills routes in the middle and compares what they leave in the end.",
      "Processes are killed with SIGKILL and started again until the source is used up; the",
      "output must be that of a plain loop. Then looks at the heap of a long run, and at what",
      "exactly-once costs. Needs 4 GB of disk and about 10 minutes. A run of everything with at",
      "least 200 kills writes agent-bench/results/faults.md."
    },
    footer = {
      "",
      "Examples:",
      "  drover bench faults",
      "  drover bench faults --kills 1000 --seed 5 --scenario ledger"
    })
public final class FaultsCommand implements Callable<Integer> {
  /** Fewer are for looking, not for showing. */
  private static final int PUBLISHED_KILLS = 200;

  private static final long HEAP_BYTES = 1_000_000_000;
  private static final int LONG_FACTOR = 10;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "200",
      description = "kills of all scenarios together, 1 to 100000 (default: ${DEFAULT-VALUE})")
  private int kills;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of the kill plans (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--scenario",
      paramLabel = "TEXT",
      description = "only scenarios whose name or guarantee has this in it; nothing else runs then")
  private @Nullable String scenario;

  @Option(
      names = "--cost-runs",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "runs of each guarantee to see what it costs, 0 to 99 (default: ${DEFAULT-VALUE})")
  private int costRuns;

  @Option(names = "--long", description = "10 GB for the heap, not 1 GB")
  private boolean longHeap;

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
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  boolean help;

  /** Set by picocli. */
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    if (kills < 1 || kills > 100_000 || costRuns < 0 || costRuns > 99) {
      throw new ParameterException(
          spec.commandLine(), "--kills must be 1 to 100000 and --cost-runs 0 to 99");
    }
    PrintWriter log = spec.commandLine().getErr();
    Path root = MachineReader.root();
    String machine = MachineReader.describe(root);
    FaultReport report;
    try (TemporaryFolder folder =
            dir == null
                ? TemporaryFolder.create("drover-faults")
                : TemporaryFolder.create(Files.createDirectories(dir), "drover-faults");
        Ledger ledger = Ledger.open()) {
      List<Scenario> chosen =
          Scenario.all(ledger).stream()
              .filter(each -> scenario == null || each.id().contains(scenario))
              .toList();
      if (chosen.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(),
            "no scenario has '%s' in its name; there are: %s"
                .formatted(
                    scenario,
                    String.join("; ", Scenario.all(ledger).stream().map(Scenario::id).toList())));
      }
      log.printf("%d kills, seed %d%n", kills, seed);
      Campaign campaign = new Campaign(folder.path(), seed, log);
      List<ScenarioResult> seen = campaign.run(chosen, kills);
      long heapBytes = longHeap ? LONG_FACTOR * HEAP_BYTES : HEAP_BYTES;
      Path rest = folder.path();
      report =
          FaultReport.of(
              machine,
              seed,
              seen,
              campaign.kills(),
              scenario == null ? HeapRun.of(rest.resolve("heap"), heapBytes) : null,
              scenario == null && costRuns > 0
                  ? CommitCost.measure(rest.resolve("cost"), costRuns, log)
                  : null);
    }
    spec.commandLine().getOut().println(FaultTable.full(report));
    spec.commandLine().getOut().flush();
    report.breaches().forEach(breach -> log.println("drover: " + breach));
    log.flush();
    boolean published = scenario == null && costRuns > 0 && kills >= PUBLISHED_KILLS;
    if (results != null) {
      FaultResults.write(results, report);
    } else if (published && report.breaches().isEmpty()) {
      FaultResults.write(root.resolve("agent-bench/results"), report);
    }
    return report.breaches().isEmpty() ? 0 : 1;
  }
}
