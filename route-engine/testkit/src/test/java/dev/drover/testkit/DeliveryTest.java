package dev.drover.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StateFolder;
import dev.drover.runtime.StopMode;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.RowsConnector.Then;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints, refused rows, bounds and stops of a run. */
class DeliveryTest {

  private static final List<String> FIELDS = List.of("n");

  @TempDir private @Nullable Path folder;
  private @Nullable StateFolder state;
  private @Nullable TestRuns runs;

  @BeforeEach
  void open() {
    state = new StateFolder(Objects.requireNonNull(folder).resolve("state"));
    runs = engine();
  }

  @AfterEach
  void close() {
    runs().close();
  }

  private TestRuns engine() {
    return new TestRuns(
        FileAccess.unfenced(), Engine.Settings.NONE.overwriting().withCheckpoints(state(), "here"));
  }

  private TestRuns runs() {
    return Objects.requireNonNull(runs);
  }

  private StateFolder state() {
    return Objects.requireNonNull(state);
  }

  private static List<List<String>> rows(int count) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(List.of(Integer.toString(i)));
    }
    return rows;
  }

  private static Map<String, ?> withCheckpoint(Collected into) {
    return Map.of("collect", Map.of("into", into, "keeps", "with_checkpoint"));
  }

  // ---- refused rows

  @Test
  void skipsRowsThatAreRefused() {
    Collected collected = new Collected().refusing("77");
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(5000), Then.END),
                TestRuns.collect(collected),
                "on_reject",
                "skip",
                "max_batch_rows",
                100);
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(status.rejected()).isEqualTo(50);
    assertThat(status.messages()).isEqualTo(4950);
    assertThat(status.committed()).isEqualTo(5000);
    assertThat(collected.rows()).hasSize(4950).doesNotContain(List.of("77"));
  }

  @Test
  void storesRefusedRowsWithTheirPlace() {
    Collected collected = new Collected().refusing("77");
    Collected letters = new Collected();
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(1000), Then.REJECT),
                TestRuns.collect(collected),
                "on_reject",
                "dead_letter",
                "dead_letter",
                TestRuns.collect(letters),
                "max_batch_rows",
                100,
                "max_rejected_rows",
                11);
    assertThat(status.error()).isNull();
    assertThat(status.rejected()).isEqualTo(11);
    assertThat(status.deadLettered()).isEqualTo(11);
    assertThat(letters.end()).isEqualTo("finish");
    assertThat(letters.rows()).hasSize(11);
    assertThat(letters.rows().getFirst())
        .startsWith("invalid_argument", "not wanted here", "write", "1", "rows", "100")
        .contains("77");
    assertThat(letters.rows().getLast())
        .startsWith("ragged_row", "a row that nobody wants", "decode", "1", "rows", "1001", "1001");
    // Stored before any offset passes them.
    assertThat(letters.commits()).isNotEmpty();
  }

  @Test
  void stopsAtOnePercentUnlessToldOtherwise() {
    Collected collected = new Collected().refusing("7");
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(5000), Then.END),
                TestRuns.collect(collected),
                "on_reject",
                "skip",
                "max_batch_rows",
                100);
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(status.error()).isNotNull();
    if (status.error() != null) {
      assertThat(status.error().code()).isEqualTo(ErrorCode.TOO_MANY_REJECTED);
      assertThat(status.error().message()).contains("max_rejected_percent (1)");
      assertThat(status.error().path()).isEqualTo("/max_rejected_percent");
    }
    // Not before there are a thousand.
    assertThat(status.rejected()).isBetween(100L, 200L);
    Collected all = new Collected().refusing("7");
    RunStatus allowed =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(5000), Then.END),
                TestRuns.collect(all),
                "on_reject",
                "skip",
                "max_rejected_percent",
                10.5);
    assertThat(allowed.state()).isEqualTo(RunState.COMPLETED);
    assertThat(allowed.rejected()).isEqualTo(500);
  }

  @Test
  void aDeadLetterSinkThatFailsFailsTheRun() {
    Collected collected = new Collected().refusing("77");
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(5000), Then.END),
                TestRuns.collect(collected),
                "on_reject",
                "dead_letter",
                "dead_letter",
                TestRuns.collect(new Collected().failAfterRows(3)),
                "max_batch_rows",
                100);
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(status.stage()).isEqualTo("dead_letter");
    assertThat(status.deadLettered()).isEqualTo(3);
    // The offset has not passed the row whose letter was lost.
    assertThat(collected.commits())
        .allSatisfy(
            commit ->
                assertThat(Integer.parseInt(commit.values().iterator().next().text()))
                    .isLessThanOrEqualTo(300));
  }

  @Test
  void deadLettersNeedAPlace() {
    assertThatThrownBy(
            () ->
                runs()
                    .start(
                        TestRuns.rows(FIELDS, rows(1), Then.END),
                        TestRuns.collect(new Collected()),
                        "on_reject",
                        "dead_letter"))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.MISSING_OPTION);
              assertThat(e.problems().getFirst().path()).isEqualTo("/dead_letter");
            });
  }

  // ---- checkpoints

  @Test
  void goesOnAfterAStop() throws Exception {
    Collected collected = new Collected();
    List<List<String>> rows = rows(3000);
    int stops = 0;
    while (true) {
      Run run =
          runs()
              .start(
                  TestRuns.rows(FIELDS, rows, Then.END),
                  withCheckpoint(collected),
                  "resume",
                  true,
                  "max_batch_rows",
                  10,
                  "limit_rows_per_second",
                  5000);
      Thread.sleep(60);
      assertThat(run.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
      RunStatus status = run.status();
      assertThat(status.guarantee()).isEqualTo(Guarantee.EXACTLY_ONCE);
      assertThat(status.committed()).isEqualTo(status.messages());
      assertThat(status.resumed()).isEqualTo(stops > 0);
      if (status.state() == RunState.COMPLETED) {
        break;
      }
      stops++;
      assertThat(status.state()).isEqualTo(RunState.STOPPED);
      assertThat(collected.rows()).isEqualTo(rows.subList(0, collected.rows().size()));
    }
    assertThat(stops).isGreaterThan(1);
    assertThat(collected.rows()).isEqualTo(rows);
  }

  private static Map<String, ?> inSplits(int rows, Then then) {
    return Map.of(
        "rows",
        Map.of(
            "rows",
            rows(rows),
            "fields",
            FIELDS,
            "splits",
            3,
            "then",
            then.name().toLowerCase(Locale.ROOT)));
  }

  @Test
  void writesOneSplitAfterTheOtherUnlessToldOtherwise() {
    for (int workers : new int[] {1, 4}) {
      Collected ordered = new Collected();
      runs()
          .run(
              inSplits(1000, Then.END),
              TestRuns.collect(ordered),
              "max_batch_rows",
              10,
              "concurrency",
              workers);
      assertThat(ordered.rows()).isEqualTo(rows(1000));
      Collected mixed = new Collected();
      runs()
          .run(
              inSplits(1000, Then.END),
              TestRuns.collect(mixed),
              "max_batch_rows",
              10,
              "concurrency",
              workers,
              "ordered",
              false);
      assertThat(mixed.rows())
          .isNotEqualTo(rows(1000))
          .containsExactlyInAnyOrderElementsOf(rows(1000));
      // Inside a split the order is kept.
      assertThat(mixed.rows().stream().filter(row -> rows(333).contains(row)).toList())
          .isEqualTo(rows(333));
    }
  }

  @Test
  void eachSplitGoesOnFromItsOwnOffset() throws Exception {
    for (boolean ordered : new boolean[] {true, false}) {
      Collected collected = new Collected();
      RunState state = RunState.STOPPED;
      int stops = 0;
      while (state == RunState.STOPPED) {
        Run run =
            runs()
                .start(
                    inSplits(3000, Then.END),
                    withCheckpoint(collected),
                    "resume",
                    true,
                    "ordered",
                    ordered,
                    "max_batch_rows",
                    10,
                    "commit_interval_ms",
                    1,
                    "limit_rows_per_second",
                    20_000);
        Thread.sleep(40);
        assertThat(run.stop(stops % 2 == 0 ? StopMode.NOW : StopMode.DRAIN, TestRuns.LONG))
            .isTrue();
        assertThat(run.status().error()).isNull();
        state = run.status().state();
        stops++;
      }
      assertThat(stops).isGreaterThan(2);
      assertThat(collected.rows()).containsExactlyInAnyOrderElementsOf(rows(3000));
      if (ordered) {
        assertThat(collected.rows()).isEqualTo(rows(3000));
      }
    }
  }

  @Test
  void keepsTheCheckpointWhereTheSinkCannot() throws Exception {
    Collected collected = new Collected();
    Run run =
        runs().start(TestRuns.rows(FIELDS, rows(500), Then.WAIT), TestRuns.collect(collected));
    while (run.status().messages() < 500) {
      Thread.sleep(1);
    }
    run.stop(StopMode.DRAIN, TestRuns.LONG);
    assertThat(run.status().guarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
    List<String> ids = state().ids();
    assertThat(ids).hasSize(1).first().isEqualTo(run.status().checkpointId());
    Checkpoint first = Objects.requireNonNull(state().load(ids.getFirst()));
    assertThat(first.source()).isEqualTo("rows");
    assertThat(first.epoch()).isEqualTo(1);
    assertThat(first.splits().values()).containsExactly("500 500  500");
    // Another process, so to say: only the rows that came since are delivered.
    try (TestRuns next = engine()) {
      Run second =
          next.start(TestRuns.rows(FIELDS, rows(500), Then.WAIT), TestRuns.collect(collected));
      second.stop(StopMode.DRAIN, TestRuns.LONG);
      assertThat(second.status().messages()).isZero();
      assertThat(second.status().resumed()).isTrue();
    }
    assertThat(collected.rows()).isEqualTo(rows(500));
    assertThat(Objects.requireNonNull(state().load(ids.getFirst())).epoch()).isEqualTo(2);
  }

  @Test
  void aCompletedRunLeavesNoCheckpoint() {
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(100), Then.END),
                TestRuns.collect(new Collected()),
                "resume",
                true);
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(state().ids()).isEmpty();
  }

  @Test
  void oneCheckpointHasOneRun() throws Exception {
    Map<String, ?> input = TestRuns.rows(FIELDS, rows(5), Then.WAIT);
    Map<String, ?> output = TestRuns.collect(new Collected());
    Run first = runs().start(input, output);
    while (first.status().messages() < 5) {
      Thread.sleep(1);
    }
    try (TestRuns other = engine()) {
      RunStatus second = other.run(input, output);
      assertThat(second.state()).isEqualTo(RunState.FAILED);
      assertThat(second.error()).extracting(e -> e.code()).isEqualTo(ErrorCode.TARGET_BUSY);
    }
    assertThat(first.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
  }

  @Test
  void refusesWhatCannotBePromised() {
    assertThatThrownBy(
            () ->
                runs()
                    .start(
                        TestRuns.rows(FIELDS, rows(1), Then.END),
                        TestRuns.collect(new Collected()),
                        "delivery",
                        "exactly_once",
                        "resume",
                        true))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              assertThat(e.problems().getFirst().path()).isEqualTo("/delivery");
              assertThat(e.problems().getFirst().message())
                  .contains("the 'collect' output does not store the checkpoint with the rows");
            });
  }

  // ---- bounds

  @Test
  void keepsToItsPace() {
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(500), Then.END),
                TestRuns.collect(new Collected()),
                "limit_rows_per_second",
                1000);
    // The last batch goes without a pause behind it: 500 rows in a tenth less than half a second.
    assertThat(status.elapsedNanos()).isGreaterThan(Duration.ofMillis(390).toNanos());
    assertThat(status.messages()).isEqualTo(500);
  }

  @Test
  void endsWhenItsTimeIsUp() {
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows(50), Then.WAIT),
                TestRuns.collect(new Collected()),
                "max_runtime_ms",
                200);
    assertThat(status.state()).isEqualTo(RunState.STOPPED);
    assertThat(status.committed()).isEqualTo(50);
    assertThat(status.warnings()).anyMatch(text -> text.contains("max_runtime_ms (200)"));
  }

  @Test
  void commitsByBytes() {
    Collected collected = new Collected();
    runs()
        .run(
            TestRuns.rows(FIELDS, rows(2000), Then.END),
            TestRuns.collect(collected),
            "max_batch_rows",
            10,
            "max_uncommitted_bytes",
            1000,
            "commit_interval_ms",
            3_600_000);
    assertThat(collected.commits().size()).isGreaterThan(10);
  }

  // ---- stops

  @Test
  void aStopCommitsAtOnceAndDropsWhatTakesTooLong() throws Exception {
    // The sink answers the first hundred writes and no more.
    ConcurrentLinkedQueue<Runnable> never = new ConcurrentLinkedQueue<>();
    int[] answered = {0};
    Collected collected =
        new Collected()
            .answeredBy(
                task -> {
                  if (answered[0]++ < 100) {
                    task.run();
                  } else {
                    never.add(task);
                  }
                });
    Run run =
        runs()
            .start(
                TestRuns.rows(FIELDS, rows(5000), Then.WAIT),
                TestRuns.collect(collected),
                "max_batch_rows",
                10,
                "commit_interval_ms",
                50);
    while (never.isEmpty()) {
      Thread.sleep(1);
    }
    long start = System.nanoTime();
    assertThat(run.stop(StopMode.DRAIN, Duration.ofSeconds(2))).isTrue();
    assertThat(System.nanoTime() - start).isLessThan(Duration.ofMillis(2500).toNanos());
    assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
    assertThat(run.status().messages()).isEqualTo(1000);
    assertThat(run.status().committed()).isLessThanOrEqualTo(1000);
  }

  @Test
  void aStopCommitsWithinASecondAndAHalfThoughThePaceIsSlow() throws Exception {
    Collected collected = new Collected();
    Run run =
        runs()
            .start(
                TestRuns.rows(FIELDS, rows(5000), Then.WAIT),
                withCheckpoint(collected),
                "limit_rows_per_second",
                1,
                "max_batch_rows",
                5,
                "commit_interval_ms",
                3_600_000);
    while (run.status().messages() < 1) {
      Thread.sleep(1);
    }
    Thread stopping = Thread.ofPlatform().start(() -> stop(run, Duration.ofSeconds(3)));
    long start = System.nanoTime();
    while (run.status().committed() == 0) {
      Thread.sleep(1);
      assertThat(System.nanoTime() - start).isLessThan(Duration.ofMillis(1500).toNanos());
    }
    assertThat(collected.rows()).isNotEmpty();
    stopping.join();
    assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
  }

  private static void stop(Run run, Duration atMost) {
    try {
      run.stop(StopMode.DRAIN, atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
