package dev.drover.bench.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code drover bench faults}; prints its table. */
class KillTest {
  private static final int KILLS = 20;
  private static final long SEED = Long.getLong("drover.faults.seed", 1);

  @TempDir private Path folder = Path.of("");

  @Test
  void killedAndStartedAgainEveryRouteKeepsWhatItPromises() throws Exception {
    StringWriter log = new StringWriter();
    try (Ledger ledger = Ledger.open()) {
      Campaign campaign = new Campaign(folder.toRealPath(), SEED, new PrintWriter(log));
      List<ScenarioResult> results = campaign.run(Scenario.all(ledger), KILLS);
      FaultReport report =
          FaultReport.of("Short form", SEED, results, campaign.kills(), null, null);
      System.out.println(FaultTable.full(report));
      assertThat(report.breaches()).as("%s", log).isEmpty();
      assertThat(report.kills()).isGreaterThanOrEqualTo(KILLS);
    }
  }

  /** The steps between the last commit and the end, each followed by a kill of the next start. */
  @Test
  void killedAtTheEndAndOnceMoreTheFileIsWhole() throws Exception {
    Path woven = folder.resolve("woven");
    Weaver.write(woven);
    try (Ledger ledger = Ledger.open()) {
      Scenario scenario = Scenario.all(ledger).getFirst();
      for (String point : scenario.target().endPoints()) {
        Path place = folder.toRealPath().resolve(point.replace(' ', '-'));
        Round round = new Round(scenario, woven, place, 1000);
        assertThat(round.start(new KillPlan.AtPoint(point, 1, true), 0).kill())
            .as(point)
            .isNotNull();
        assertThat(round.start(new KillPlan.AtPoint("rows opened", 1, true), 0).kill())
            .as(point)
            .isNotNull();
        assertThat(round.start(new KillPlan.Never(), 0).kill()).as(point).isNull();
        assertThat(round.kept(round.compare())).as(point).isTrue();
        assertThat(names(place)).as(point).contains("out.jsonl").noneMatch(KillTest::isLeftOver);
      }
    }
  }

  private static boolean isLeftOver(String name) {
    return name.endsWith(".part") || name.endsWith(".drover") || name.endsWith(".tmp");
  }

  private static List<String> names(Path place) throws Exception {
    try (var files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** A harness that saw nothing would find nothing. */
  @Test
  void whatIsLostDoubledOrTornIsSeen() {
    List<String> rows = List.of("1\n", "2\n", "3\n", "4\n");
    byte[] expected = bytes(rows);
    assertThat(Comparison.of(expected, expected).exact()).isTrue();
    Comparison lost = Comparison.of(expected, bytes(List.of("1\n", "2\n", "4\n")));
    assertThat(lost.lost()).isEqualTo(1);
    assertThat(lost.skips()).isEqualTo(1);
    Comparison doubled = Comparison.of(expected, bytes(List.of("1\n", "2\n", "2\n", "3\n", "4\n")));
    assertThat(doubled.doubled()).isEqualTo(1);
    assertThat(doubled.exact()).isFalse();
    assertThat(doubled.complete(0)).as("without a reason").isFalse();
    assertThat(doubled.complete(1)).as("after a restart").isTrue();
    Comparison mixed = Comparison.of(expected, bytes(List.of("1\n", "3\n", "2\n", "4\n")));
    assertThat(mixed.complete(9)).isFalse();
    Comparison torn = Comparison.of(expected, bytes(List.of("1\n", "2\n", "3\n", "4")));
    assertThat(torn.foreign()).isEqualTo(1);
    assertThat(torn.lost()).isEqualTo(1);
    List<String> same = new ArrayList<>(List.of("a\n", "a\n", "a\n"));
    assertThat(Comparison.of(bytes(same), bytes(same)).exact()).isTrue();
    assertThat(Comparison.of(bytes(same), bytes(same.subList(0, 2))).lost()).isEqualTo(1);
  }

  private static byte[] bytes(List<String> lines) {
    return String.join("", lines).getBytes(StandardCharsets.UTF_8);
  }
}
