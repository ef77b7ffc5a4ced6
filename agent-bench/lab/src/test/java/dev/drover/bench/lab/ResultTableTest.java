package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultTableTest {
  private static final Report.Machine MACHINE =
      new Report.Machine(
          "2026-01-02T03:04:00Z",
          "abc",
          "0.1.0",
          "25",
          "-XX:+UseSerialGC",
          "v1",
          "Linux",
          "CPU",
          2,
          8000,
          0.05);

  private static Series series(Double... values) {
    return Series.of(List.of(values));
  }

  private static Report report(Figure... figures) {
    return new Report("Title", MACHINE, 3, 1_000_000, List.of(figures));
  }

  @Test
  void aRatioIsOfMedians() {
    Figure figure =
        Figure.speedup("id", "what", 2, 2.5, series(0.5, 0.4, 9.0), series(1.2, 1.0, 1.1));
    assertThat(figure.value()).isEqualTo(2.2);
    assertThat(figure.acceptable()).isTrue();
    assertThat(figure.good()).isFalse();
    assertThat(ResultTable.full(report(figure)))
        .contains("| what | 2.2× | ≥ 2× | 2.5× | 0.5 s (0.4 to 9) | 1.1 s (1 to 1.2) |  | 3 |\n");
  }

  @Test
  void aMissedBoundIsBold() {
    Figure figure = Figure.atMost("id", "what", "ms", 10, null, series(12.345));
    assertThat(figure.acceptable()).isFalse();
    assertThat(ResultTable.full(report(figure)))
        .contains("| what | **12.4 ms** | ≤ 10 ms |  | 12.4 ms |  |  | 1 |\n");
  }

  @Test
  void coresAreCpuTimeOverWallClock() {
    Series own = Series.ofSamples(List.of(new Sample(0.5, 0.75, 0.49), new Sample(1, 1.5, 0.9)));
    Figure figure = Figure.share("id", "what", 0.7, 0.45, own, series(2.0, 2.0));
    assertThat(figure.value()).isEqualTo(0.375);
    assertThat(ResultTable.full(report(figure))).contains("| 1.5 | 2 |\n");
  }

  @Test
  void whatIsWrittenIsReadBack(@TempDir Path folder) throws Exception {
    Report report = report(Figure.atMost("id", "what", "ms", 10, 3.0, series(1.5, 2.5)));
    Results.write(folder, report);
    assertThat(Results.read(folder)).isEqualTo(report);
    assertThat(Results.markdown(folder)).content().isEqualTo(ResultTable.page(report));
  }

  @Test
  void aPageKeepsWhatStandsAroundTheTable() {
    Report report = report(Figure.atMost("id", "what", "ms", 10, 3.0, series(1.5)));
    String page = "before\n" + Results.BEGIN + "\nprevious\n" + Results.END + "\nafter\n";
    String made = Results.embedded(page, report);
    assertThat(made)
        .startsWith("before\n" + Results.BEGIN + "\n| figure")
        .endsWith("\n" + Results.END + "\nafter\n")
        .doesNotContain("previous");
    assertThat(Results.embedded(made, report)).isEqualTo(made);
    assertThat(Results.embedded("no marks", report)).isEqualTo("no marks");
  }
}
