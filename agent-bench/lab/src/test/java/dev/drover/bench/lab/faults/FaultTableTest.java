package dev.drover.bench.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.drover.bench.lab.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultTableTest {
  private static final CommitCost COST =
      new CommitCost(1_000_000, 20, Series.of(List.of(1.1)), Series.of(List.of(1.0)));

  private static ScenarioResult result(int inside, @Nullable String breach) {
    return new ScenarioResult(
        "a to b", "exactly_once", 10, 10, 2, 30_000, 0, 0, 1, inside, 3, breach);
  }

  private static FaultReport report(ScenarioResult result, CommitCost cost) {
    List<Kill> kills =
        List.of(
            new Kill("rows written", true, true, 0),
            new Kill("rows written", true, true, 9),
            new Kill(Kill.AT_RANDOM, true, false, 9));
    return FaultReport.of("Machine", 7, List.of(result), kills, null, cost);
  }

  @Test
  void whatIsKeptIsInTheTable() {
    FaultReport report = report(result(9, null), COST);
    assertThat(report.breaches()).isEmpty();
    assertThat(FaultTable.page(report))
        .contains(
            "| a to b | exactly_once | 10 | 10 | 2 | 30,000 | 0 | 0 | 1 | 90 % | 30 % | kept |\n")
        .contains("| rows written | 2 |\n")
        .contains("| 90 to 100 % | 2 ## |\n")
        .contains("0.909× (bound 0.85×)");
  }

  @Test
  void whatIsNotKeptIsTold() {
    assertThat(report(result(9, "3 rows lost"), COST).breaches()).hasSize(1);
    assertThat(FaultTable.page(report(result(9, "3 rows lost"), COST)))
        .contains("| **3 rows lost** |");
    assertThat(report(result(8, null), COST).breaches()).hasSize(1);
    CommitCost few =
        new CommitCost(1_000_000, 19, Series.of(List.of(1.0)), Series.of(List.of(1.0)));
    assertThat(report(result(9, null), few).breaches()).hasSize(1);
  }

  @Test
  void whatIsWrittenIsReadBack(@TempDir Path folder) throws Exception {
    FaultReport report = report(result(9, null), COST);
    FaultResults.write(folder, report);
    assertThat(FaultResults.read(folder)).isEqualTo(report);
    assertThat(FaultResults.markdown(folder)).content().isEqualTo(FaultTable.page(report));
  }

  @Test
  void thePageThatIsShownIsMadeOfTheJson() throws Exception {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(at.resolve("drover"))) {
      at = at.resolve("..").normalize();
    }
    Path results = at.resolve("agent-bench/results");
    assumeThat(FaultResults.json(results)).as("results of a long session").exists();
    FaultReport report = FaultResults.read(results);
    assertThat(FaultResults.markdown(results))
        .as("run: drover bench faults")
        .content()
        .isEqualTo(FaultTable.page(report));
    assertThat(report.breaches()).isEmpty();
  }
}
