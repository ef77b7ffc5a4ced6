package dev.drover.bench.lab.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One route from its first row to its last, started again after each kill. */
final class Round {

  /** Far more than any process takes; one that is not done by then hangs. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** More than a row has. */
  private static final int LAST_BYTES = 200;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Scenario scenario;
  private final Path woven;
  private final Path folder;
  private final int rows;
  private final byte[] expected;
  private int starts;

  /**
   * @param woven classes with kill points, see {@link Weaver}
   * @param folder of this round alone
   */
  Round(Scenario scenario, Path woven, Path folder, int rows) throws IOException {
    this.scenario = scenario;
    this.woven = woven;
    this.folder = folder;
    this.rows = rows;
    this.expected = scenario.feed().lines(rows);
    Files.createDirectories(folder);
    scenario.feed().prepare(folder, rows);
    scenario.target().prepare(folder);
  }

  /**
   * What became of a process.
   *
   * @param kill null if the route has come to its end
   */
  record Ended(@Nullable Kill kill) {}

  /** How often the route was started. */
  int starts() {
    return starts;
  }

  /** Loses a connection after so many requests from now, where there are connections. */
  void disturb(int afterRequests) {
    scenario.target().disturb(folder, afterRequests);
  }

  int disturbed() {
    return scenario.target().disturbed(folder);
  }

  /**
   * Starts the route, and kills it as planned unless it comes to its end before.
   *
   * @param rowsPerSecond 0: as fast as it goes
   * @throws BreachException if it fails
   */
  Ended start(KillPlan plan, int rowsPerSecond)
      throws IOException, InterruptedException, BreachException {
    Files.write(
        folder.resolve(Child.ROUTE), RouteText.lines(scenario.route(folder, rows, rowsPerSecond)));
    starts++;
    long begun = System.nanoTime();
    long deadline = begun + LONG_NANOS;
    long killAt =
        plan instanceof KillPlan.AfterStart after
            ? begun + TimeUnit.MILLISECONDS.toNanos(after.millis())
            : Long.MAX_VALUE;
    boolean reading = false;
    try (Child child = Child.start(woven, folder, plan)) {
      while (true) {
        long now = System.nanoTime();
        String said = child.next(Math.min(LOOK_NANOS, Math.max(0, killAt - now)));
        now = System.nanoTime();
        if (said != null && said.equals(RouteProcess.READING)) {
          reading = true;
          scenario.feed().grow(folder, rows);
          if (plan instanceof KillPlan.AfterReading after) {
            killAt = now + TimeUnit.MILLISECONDS.toNanos(after.millis());
          }
        } else if (said != null && said.startsWith(KillPoints.SAID)) {
          child.kill();
          return new Ended(atPoint((KillPlan.AtPoint) plan));
        } else if (said != null && said.startsWith(RouteProcess.ENDED)) {
          check(said);
          child.next(LONG_NANOS);
          return new Ended(null);
        } else if (said != null && said.equals(Child.GONE)) {
          throw new BreachException("the process ended by itself: " + log());
        }
        if (now >= killAt) {
          child.kill();
          return new Ended(atRandom(reading));
        }
        if (now >= deadline) {
          throw new BreachException("the process hangs: " + log());
        }
        if (reading && !scenario.feed().ends() && plan instanceof KillPlan.Never) {
          scenario.feed().grow(folder, rows);
          if (lastRowIsThere()) {
            child.stop();
          }
        }
      }
    }
  }

  private boolean lastRowIsThere() throws IOException {
    if (scenario.target().length(folder) < expected.length) {
      return false;
    }
    byte[] there = scenario.target().rows(folder);
    int last = Math.min(expected.length, LAST_BYTES);
    return Arrays.equals(
        there,
        there.length - last,
        there.length,
        expected,
        expected.length - last,
        expected.length);
  }

  private void check(String ended) throws BreachException, IOException {
    if (!ended.equals(RouteProcess.ENDED + "well")) {
      throw new BreachException("the route " + ended.substring(RouteProcess.ENDED.length()));
    }
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve(Child.LOG)).strip();
  }

  private Kill atPoint(KillPlan.AtPoint plan) throws IOException {
    return new Kill(plan.point(), !plan.last(), !plan.last(), tenth());
  }

  private Kill atRandom(boolean reading) throws IOException {
    if (!reading) {
      return new Kill(Kill.BEFORE_READING, false, false, tenth());
    }
    // Rows that are there may not be committed yet; so late is late enough to be told apart.
    boolean late =
        scenario.target().complete(folder) || scenario.target().length(folder) >= expected.length;
    return new Kill(late ? Kill.AFTER_LAST_COMMIT : Kill.AT_RANDOM, !late, false, tenth());
  }

  private int tenth() throws IOException {
    return (int) Math.min(9, 10 * scenario.target().length(folder) / expected.length);
  }

  /** Whether nobody would start the route again: it was done, though its process was killed. */
  boolean over() {
    Target target = scenario.target();
    return target.complete(folder) && !target.repeatable();
  }

  /** What is there beside what must be. */
  Comparison compare() throws IOException {
    return Comparison.of(expected, scenario.target().rows(folder));
  }

  /** Whether the scenario's guarantee was kept. */
  boolean kept(Comparison seen) throws IOException {
    return scenario.exactlyOnce()
        ? seen.exact() && Arrays.equals(expected, scenario.target().rows(folder))
        : seen.complete(starts - 1 + disturbed());
  }

  /** Removes what the round has made. */
  void remove() throws IOException {
    List<Path> made;
    try (Stream<Path> all = Files.walk(folder)) {
      made = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : made) {
      Files.delete(each);
    }
  }
}
