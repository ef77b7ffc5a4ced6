package dev.drover.bench.lab.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one session.
 *
 * @param machine where and with what, in words
 * @param seed of the kill plans
 * @param results of the scenarios
 * @param where how many kills fell at each named point, or when
 * @param tenths how many kills fell while so many tenths of the rows were there
 * @param heap null if it was not looked at
 * @param cost null if it was not measured
 */
record FaultReport(
    String machine,
    long seed,
    List<ScenarioResult> results,
    Map<String, Integer> where,
    List<Integer> tenths,
    @Nullable HeapRun heap,
    @Nullable CommitCost cost) {

  /** Of all kills, percent that must fall between the first read and the last commit. */
  static final int LEAST_INSIDE_PERCENT = 90;

  /** Of all kills, percent that must fall at named points. */
  static final int LEAST_AT_POINTS_PERCENT = 20;

  private static final int TENTHS = 10;

  static FaultReport of(
      String machine,
      long seed,
      List<ScenarioResult> results,
      List<Kill> kills,
      @Nullable HeapRun heap,
      @Nullable CommitCost cost) {
    Map<String, Integer> where = new TreeMap<>();
    int[] tenths = new int[TENTHS];
    for (Kill kill : kills) {
      where.merge(kill.where(), 1, Integer::sum);
      tenths[kill.tenth()]++;
    }
    List<Integer> counts = new ArrayList<>();
    for (int count : tenths) {
      counts.add(count);
    }
    return new FaultReport(machine, seed, results, where, counts, heap, cost);
  }

  int kills() {
    return sum(ScenarioResult::kills);
  }

  int percentInside() {
    return percent(sum(ScenarioResult::inside), kills());
  }

  int percentAtPoints() {
    return percent(sum(ScenarioResult::atPoints), kills());
  }

  private int sum(ToIntFunction<ScenarioResult> of) {
    return results.stream().mapToInt(of).sum();
  }

  static int percent(int part, int whole) {
    return whole == 0 ? 0 : 100 * part / whole;
  }

  /** Everything that is not as it must be; empty if all is. */
  List<String> breaches() {
    List<String> breaches = new ArrayList<>();
    for (ScenarioResult result : results) {
      if (result.breach() != null) {
        breaches.add(
            "%s, %s: %s".formatted(result.scenario(), result.guarantee(), result.breach()));
      }
    }
    if (percentInside() < LEAST_INSIDE_PERCENT) {
      breaches.add("only %d %% of the kills fell inside".formatted(percentInside()));
    }
    if (percentAtPoints() < LEAST_AT_POINTS_PERCENT) {
      breaches.add("only %d %% of the kills fell at named points".formatted(percentAtPoints()));
    }
    if (cost != null && !cost.acceptable()) {
      breaches.add("exactly-once costs too much: " + cost.text());
    }
    return breaches;
  }
}
