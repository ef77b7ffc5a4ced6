package dev.drover.bench.lab;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A report as Markdown; the same report always gives the same text. */
final class ResultTable {
  private ResultTable() {}

  /** A page of its own: heading, machine, table. */
  static String page(Report report) {
    return """
        # %s

        Made by `drover bench` from the JSON file beside this one; do not edit.

        %s"""
        .formatted(report.title(), full(report));
  }

  /** What a reader in a hurry wants, to go into a page at the root of the sources. */
  static String brief(Report report) {
    StringBuilder text =
        new StringBuilder("| figure | measured | bound | goal |\n|---|---|---|---|\n");
    for (Figure figure : report.figures()) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(figure.what(), measured(figure), bound(figure), goal(figure)));
    }
    Report.Machine machine = report.machine();
    text.append(
        """

        %s, %d cores, JDK %s, DuckDB %s in-process on all cores; medians of %d alternating runs, every output checked by SHA-256. \
        Spread, cores used and flags: [agent-bench/results](agent-bench/results/%s.md).
        """
            .formatted(
                machine.cpu(),
                machine.cores(),
                machine.jdk(),
                machine.duckdb() == null ? "(not run)" : machine.duckdb(),
                report.runs(),
                Results.CSV_TO_LINES));
    return text.toString();
  }

  /** Table and machine. */
  static String full(Report report) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        | figure | measured | at least / most | goal | Drover: median (min to max) | compared with: median (min to max) | cores used: Drover, the other | n |
        |---|---|---|---|---|---|---|---|
        """);
    for (Figure figure : report.figures()) {
      text.append(row(figure)).append('\n');
    }
    Report.Machine machine = report.machine();
    text.append(
        """

        **Bold** is worse than the bound. Ratios are of medians over alternating runs in one session, after one uncounted run each, against DuckDB unless the line says otherwise; row count and SHA-256 of every output were checked; files in the page cache, outputs removed. Fixture: %s rows.
        Drover %s, commit %s, JDK %s, server flags `%s`; DuckDB %s (JDBC, in-process, all cores, all columns text); %s, %s, %d cores, %s MiB; %s; other programs used %s cores meanwhile.
        """
            .formatted(
                whole(report.rows()),
                machine.drover(),
                machine.commit(),
                machine.jdk(),
                machine.flags(),
                machine.duckdb() == null ? "not run" : machine.duckdb(),
                machine.os(),
                machine.cpu(),
                machine.cores(),
                whole(machine.memoryMib()),
                machine.date(),
                number(machine.othersCores())));
    return text.toString();
  }

  private static String row(Figure figure) {
    return "| %s | %s | %s | %s | %s | %s | %s | %d |"
        .formatted(
            figure.what(),
            measured(figure),
            bound(figure),
            goal(figure),
            series(figure.drover(), figure.seriesUnit()),
            figure.other() == null ? "" : series(figure.other(), figure.seriesUnit()),
            cores(figure),
            figure.n());
  }

  private static String measured(Figure figure) {
    String value = with(figure.value(), figure.unit());
    return figure.acceptable() ? value : "**" + value + "**";
  }

  private static String bound(Figure figure) {
    return (figure.atMost() ? "≤ " : "≥ ") + with(figure.bound(), figure.unit());
  }

  private static String goal(Figure figure) {
    return figure.goal() == null ? "" : with(figure.goal(), figure.unit());
  }

  private static String series(Series series, String unit) {
    return series.values().size() == 1
        ? with(series.median(), unit)
        : "%s (%s to %s)"
            .formatted(with(series.median(), unit), number(series.min()), number(series.max()));
  }

  private static String cores(Figure figure) {
    @Nullable Double own = figure.drover().cores();
    @Nullable Double other = figure.other() == null ? null : figure.other().cores();
    if (own == null) {
      return "";
    }
    return other == null ? number(own) : number(own) + ", " + number(other);
  }

  private static String with(double value, String unit) {
    return unit.equals("x") ? number(value) + "×" : number(value) + " " + unit;
  }

  private static String number(double value) {
    if (value == Math.rint(value)) {
      return whole((long) value);
    }
    int decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return decimals == 3 ? text.replaceFirst("0{1,2}$", "") : text;
  }

  private static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
