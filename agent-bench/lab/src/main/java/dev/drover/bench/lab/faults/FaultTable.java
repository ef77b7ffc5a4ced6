package dev.drover.bench.lab.faults;

/** A report as Markdown; the same report always gives the same text. */
final class FaultTable {

  private FaultTable() {}

  /** A page of its own. */
  static String page(FaultReport report) {
    return """
        # Killed and started again

        Made by `drover bench faults` from the JSON file beside this one; do not edit.

        %s"""
        .formatted(full(report));
  }

  /** All tables. */
  static String full(FaultReport report) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        | scenario | guarantee | kills | restarts | routes brought to their end | rows | lost | doubled | connections lost in doubt | kills inside the run | kills at commit points | verdict |
        |---|---|---|---|---|---|---|---|---|---|---|---|
        """);
    report.results().forEach(result -> text.append(row(result)).append('\n'));
    text.append(
        """

        %d kills with SIGKILL, seed %d: %d %% between the first read and the last commit (at least %d %%), %d %% at named points of the commit (at least %d %%).
        Exactly-once outputs were the same byte for byte as what a plain loop makes; at-least-once ones had every row in order, but for the rows that came again after a restart or a lost connection.

        | where the kills fell | kills |
        |---|---|
        """
            .formatted(
                report.kills(),
                report.seed(),
                report.percentInside(),
                FaultReport.LEAST_INSIDE_PERCENT,
                report.percentAtPoints(),
                FaultReport.LEAST_AT_POINTS_PERCENT));
    report.where().forEach((where, kills) -> text.append("| %s | %d |%n".formatted(where, kills)));
    text.append("\n| rows there when it was killed | kills |\n|---|---|\n");
    for (int i = 0; i < report.tenths().size(); i++) {
      int kills = report.tenths().get(i);
      text.append(
          "| %d to %d %% | %d %s |\n".formatted(10 * i, 10 * i + 10, kills, "#".repeat(kills)));
    }
    HeapRun heap = report.heap();
    if (heap != null) {
      text.append("\nMemory: ").append(heap.text()).append(".\n");
    }
    CommitCost cost = report.cost();
    if (cost != null) {
      text.append("\nCost: ").append(cost.text()).append(".\n");
    }
    return text.append('\n').append(report.machine()).append(".\n").toString();
  }

  private static String row(ScenarioResult result) {
    return "| %s | %s | %d | %d | %d | %,d | %,d | %,d | %d | %d %% | %d %% | %s |"
        .formatted(
            result.scenario(),
            result.guarantee(),
            result.kills(),
            result.restarts(),
            result.rounds(),
            result.rows(),
            result.lost(),
            result.doubled(),
            result.dropped(),
            FaultReport.percent(result.inside(), result.kills()),
            FaultReport.percent(result.atPoints(), result.kills()),
            result.breach() == null ? "kept" : "**" + result.breach() + "**");
  }
}
