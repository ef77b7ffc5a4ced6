package dev.drover.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StopMode;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.testkit.RowsConnector.Then;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every sink must do. A subclass says how to read back what was written. */
public abstract class SinkContract {

  private static final List<String> FIELDS = List.of("id", "name");
  private static final int MANY = 20_000;
  private static final int FEWER = 1000;

  private @Nullable TestRuns runs;

  /** The connector under test; the same object each time. */
  protected abstract Connector connector();

  /** An endpoint that writes to a place of this test's own, empty at first. */
  protected abstract Map<String, ?> endpoint();

  /**
   * What is at that place now.
   *
   * @return the rows as texts; null if there is nothing, not even an empty target
   */
  protected abstract @Nullable List<List<@Nullable String>> readBack() throws Exception;

  @BeforeEach
  void open() {
    runs = new TestRuns(connector());
  }

  @AfterEach
  void close() {
    runs().close();
  }

  protected final TestRuns runs() {
    if (runs == null) {
      throw new IllegalStateException("not open");
    }
    return runs;
  }

  /** How the sink keeps the rows of a run that ends by itself and is not resumed. */
  protected abstract CommitMode commitMode();

  private boolean isAtomic() {
    return commitMode() == CommitMode.AT_END;
  }

  private static List<List<@Nullable String>> manyRows() {
    List<List<@Nullable String>> rows = new ArrayList<>(MANY);
    for (int i = 0; i < MANY; i++) {
      rows.add(List.of(Integer.toString(i), "\"ñ\"\\\n\t" + "x".repeat(i % 40)));
    }
    return rows;
  }

  @Test
  void takesAllRowsInOrder() throws Exception {
    List<List<@Nullable String>> rows = manyRows();
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(FIELDS, rows, Then.END),
                endpoint(),
                "max_batch_rows",
                100,
                "concurrency",
                3);
    assertThat(status.error()).isNull();
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(status.messages()).isEqualTo(MANY);
    assertThat(status.committed()).isEqualTo(MANY);
    assertThat(readBack()).isEqualTo(rows);
  }

  @Test
  void takesNoRows() throws Exception {
    RunStatus status = runs().run(TestRuns.rows(FIELDS, List.of(), Then.END), endpoint());
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(readBack()).isEmpty();
  }

  @Test
  void tellsWhyAndWhereItFailed() throws Exception {
    for (Then then : List.of(Then.FAIL_READING, Then.FAIL_DECODING, Then.REJECT)) {
      RunStatus status =
          runs().run(TestRuns.rows(FIELDS, manyRows(), then), endpoint(), "max_batch_rows", 500);
      assertThat(status.state()).as(then.name()).isEqualTo(RunState.FAILED);
      assertThat(status.error()).as(then.name()).isNotNull();
      assertThat(status.stage()).isEqualTo(then == Then.FAIL_READING ? "read" : "decode");
      assertThat(status.rejected()).isEqualTo(then == Then.REJECT ? 1 : 0);
      if (then == Then.REJECT && status.error() != null) {
        // The place is told in terms of the whole split.
        assertThat(status.error().code()).isEqualTo(ErrorCode.RAGGED_ROW);
        assertThat(status.error().message()).startsWith("rows: line " + (MANY + 1) + ": ");
      }
      if (isAtomic()) {
        assertThat(readBack()).as("an atomic sink after %s", then).isNull();
        assertThat(status.committed()).isZero();
      }
    }
  }

  @Test
  void goesOnAfterStops() throws Exception {
    List<List<@Nullable String>> rows = manyRows().subList(0, FEWER);
    Map<String, ?> endpoint = endpoint();
    int stops = 0;
    RunStatus status;
    do {
      Run run =
          runs()
              .start(
                  TestRuns.rows(FIELDS, rows, Then.END),
                  endpoint,
                  "resume",
                  true,
                  "max_batch_rows",
                  7,
                  "commit_interval_ms",
                  1,
                  "limit_rows_per_second",
                  4000);
      while (run.status().messages() < 7 * (stops % 5 + 1L) && !run.status().finished()) {
        Thread.sleep(1);
      }
      assertThat(run.stop(stops % 3 == 2 ? StopMode.NOW : StopMode.DRAIN, TestRuns.LONG)).isTrue();
      status = run.status();
      assertThat(status.error()).isNull();
      stops++;
    } while (status.state() == RunState.STOPPED);
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(stops).as("runs that it took").isGreaterThan(2);
    if (status.guarantee() == Guarantee.EXACTLY_ONCE) {
      assertThat(readBack()).isEqualTo(rows);
    } else {
      assertThat(readBack()).containsAll(rows);
    }
  }

  @Test
  void leavesNothingWhenStoppedNow() throws Exception {
    Run run =
        runs()
            .start(
                TestRuns.rows(FIELDS, manyRows(), Then.END),
                endpoint(),
                "max_batch_rows",
                100,
                "limit_rows_per_second",
                10_000);
    while (run.status().messages() == 0 && !run.status().finished()) {
      Thread.sleep(1);
    }
    assertThat(run.stop(StopMode.NOW, TestRuns.LONG)).isTrue();
    assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
    if (isAtomic()) {
      assertThat(readBack()).isNull();
    }
  }
}
