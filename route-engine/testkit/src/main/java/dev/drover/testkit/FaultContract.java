package dev.drover.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StateFolder;
import dev.drover.spi.Access;
import dev.drover.spi.Connector;
import dev.drover.spi.Guarantee;
import dev.drover.testkit.Faults.Kind;
import dev.drover.testkit.Faults.Point;
import dev.drover.testkit.RowsConnector.Then;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every sink must keep when something fails: each fault, at each stage, under each guarantee
 * that the sink can give. A run that fails is started again, without the fault, as its user would.
 * Then no row is missing, and under exactly-once none is there twice.
 *
 * <p>Each test prints what was lost and doubled. A fault that never struck fails its test.
 */
public abstract class FaultContract {

  private static final List<String> FIELDS = List.of("id", "name");
  private static final int ROWS = 600;
  private static final int BATCH_ROWS = 20;

  /** More than any retry makes. */
  private static final int ALWAYS = 1000;

  @TempDir private @Nullable Path folder;

  /** The connector under test, with nothing in it yet. */
  protected abstract Connector connector();

  /**
   * An endpoint that writes to a place of its own.
   *
   * @param place a new folder for this test
   */
  protected abstract Map<String, ?> endpoint(Connector connector, Path place);

  /** The rows that are at that place now, as texts; empty if there is nothing. */
  protected abstract List<List<@Nullable String>> readBack(Connector connector, Path place)
      throws Exception;

  /** How the route is run. */
  private record Way(String name, Map<String, ?> options) {}

  private static final List<Way> WAYS =
      List.of(
          new Way("resumed", Map.of("resume", true)),
          new Way("resumed, at least once", Map.of("resume", true, "delivery", "at_least_once")),
          new Way("not resumed", Map.of()));

  private record Fault(String name, Point point, Kind kind, int first, int times) {}

  private static List<Fault> faults() {
    List<Fault> faults = new ArrayList<>();
    for (Point point : Point.values()) {
      int first = point == Point.FINISH || point == Point.RESTORE ? 1 : 3;
      faults.add(new Fault("fails once", point, Kind.FAIL, first, 1));
      faults.add(new Fault("fails twice", point, Kind.FAIL, first, 2));
      faults.add(new Fault("fails for good", point, Kind.FAIL, first, ALWAYS));
      faults.add(new Fault("finds the disk full", point, Kind.DISK_FULL, first, 1));
      faults.add(new Fault("is slow", point, Kind.SLOW, first, 5));
    }
    faults.add(new Fault("fails later, once", Point.WRITE, Kind.FAIL_LATER, 3, 1));
    faults.add(new Fault("fails later, three times", Point.WRITE, Kind.FAIL_LATER, 3, 3));
    faults.add(new Fault("fails later, for good", Point.WRITE, Kind.FAIL_LATER, 3, ALWAYS));
    for (Point point : List.of(Point.WRITE, Point.COMMIT, Point.SAVE)) {
      faults.add(new Fault("is done and fails, once", point, Kind.FAIL_WHEN_DONE, 3, 1));
      faults.add(new Fault("is done and fails, for good", point, Kind.FAIL_WHEN_DONE, 3, ALWAYS));
    }
    return faults;
  }

  @TestFactory
  Stream<DynamicTest> everyFaultAtEveryStageUnderEveryGuarantee() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Way way : WAYS) {
      for (Fault fault : faults()) {
        String name = "%s: %s %s".formatted(way.name(), fault.point(), fault.name());
        tests.add(DynamicTest.dynamicTest(name, () -> check(name, way, fault, false)));
      }
      String clock = way.name() + ": the clock leaps and stands still";
      Fault none = new Fault("", Point.READ, Kind.FAIL, 1, 0);
      tests.add(DynamicTest.dynamicTest(clock, () -> check(clock, way, none, true)));
    }
    return tests.stream();
  }

  private void check(String name, Way way, Fault fault, boolean leaping) throws Exception {
    Path place =
        Path.of(Objects.requireNonNull(folder).toString(), Integer.toHexString(name.hashCode()));
    Files.createDirectories(place);
    Connector connector = connector();
    Faults faults = new Faults(fault.point(), fault.kind(), fault.first(), fault.times());
    JumpingClock clock = new JumpingClock();
    Access access = leaping ? clock : FileAccess.unfenced();
    FaultyStore store = new FaultyStore(new StateFolder(place.resolve("state")), faults);
    boolean source = fault.point() == Point.READ;
    List<RunStatus> runs = new ArrayList<>();
    try (TestRuns engine =
        new TestRuns(
            access,
            Engine.Settings.NONE.overwriting().withCheckpoints(store, ""),
            source ? new FaultyConnector(new RowsConnector(), faults) : new RowsConnector(),
            source ? connector : new FaultyConnector(connector, faults))) {
      RunStatus status = run(engine, way, endpoint(connector, place));
      runs.add(status);
      while (status.state() == RunState.FAILED && runs.size() < 5) {
        faults.end();
        status = run(engine, way, endpoint(connector, place));
        runs.add(status);
      }
      assertThat(status.error()).isNull();
      assertThat(status.state()).isEqualTo(RunState.COMPLETED);
      if (isRuledOut(fault, status)) {
        System.out.println(name + ": ruled out, a failed write leaves nothing behind in this sink");
        return;
      }
      boolean cannotStrike = cannotStrike(fault, status);
      if (!leaping && !cannotStrike) {
        assertThat(faults.struck()).as("the fault has struck").isPositive();
      }
      tell(name, runs, readBack(connector, place), cannotStrike);
      if (leaping) {
        assertThat(clock.leaps()).as("leaps of the clock").isPositive();
      }
    }
  }

  /** A sink that shows all rows at the end has taken back what a failed write did. */
  private static boolean isRuledOut(Fault fault, RunStatus status) {
    return fault.point() == Point.WRITE
        && fault.kind() == Kind.FAIL_WHEN_DONE
        && status.guarantee() == Guarantee.EXACTLY_ONCE
        && status.checkpointId().isEmpty();
  }

  /** Some runs never come by some points, or by so few that the fault is not due. */
  private static boolean cannotStrike(Fault fault, RunStatus status) {
    boolean commitsOften =
        !status.checkpointId().isEmpty() || status.guarantee() == Guarantee.AT_LEAST_ONCE;
    return switch (fault.point()) {
      case SAVE -> status.checkpointId().isEmpty() || status.guarantee() == Guarantee.EXACTLY_ONCE;
      case COMMIT -> !commitsOften;
      default -> false;
    };
  }

  private static void tell(
      String name, List<RunStatus> runs, List<List<@Nullable String>> found, boolean cannotStrike) {
    Map<List<@Nullable String>, Integer> counts = new LinkedHashMap<>();
    rows().forEach(row -> counts.put(row, 0));
    found.forEach(row -> counts.merge(row, 1, Integer::sum));
    long lost = counts.values().stream().filter(count -> count == 0).count();
    long doubled = counts.values().stream().filter(count -> count > 1).count();
    Guarantee guarantee = runs.getLast().guarantee();
    System.out.printf(
        "%-60s %-13s runs %d, retried %4d, lost %d, doubled %d%s%n",
        name,
        guarantee,
        runs.size(),
        runs.stream().mapToLong(RunStatus::retried).sum(),
        lost,
        doubled,
        cannotStrike ? " (never comes there)" : "");
    assertThat(lost).as("lost rows").isZero();
    assertThat(counts).as("rows that were never sent").hasSize(ROWS);
    if (guarantee == Guarantee.EXACTLY_ONCE) {
      assertThat(found).isEqualTo(rows());
    }
    if (runs.size() == 1) {
      RunStatus only = runs.getFirst();
      assertThat(only.messages()).as("messages").isEqualTo(ROWS);
      assertThat(only.committed()).as("committed").isEqualTo(ROWS);
    }
  }

  private static RunStatus run(TestRuns engine, Way way, Map<String, ?> endpoint) {
    List<Object> options = new ArrayList<>();
    Map<String, Object> all = new LinkedHashMap<>(way.options());
    all.put("max_batch_rows", BATCH_ROWS);
    all.put("commit_interval_ms", 1);
    all.put("limit_rows_per_second", 60_000);
    all.put("concurrency", 2);
    all.put("retry", Map.of("initial_backoff_ms", 1, "max_backoff_ms", 4));
    all.forEach(
        (key, value) -> {
          options.add(key);
          options.add(value);
        });
    return engine.run(TestRuns.rows(FIELDS, rows(), Then.END), endpoint, options.toArray());
  }

  private static List<List<@Nullable String>> rows() {
    List<List<@Nullable String>> rows = new ArrayList<>(ROWS);
    for (int i = 0; i < ROWS; i++) {
      rows.add(List.of(Integer.toString(i), "name " + i));
    }
    return rows;
  }
}
