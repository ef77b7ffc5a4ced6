package dev.drover.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StopMode;
import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.CollectConnector.Collected;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every source must do. A subclass says how to put rows where the source will find them. */
public abstract class SourceContract {

  /** Enough rows for many batches and some chunks. */
  private static final int MANY = 20_000;

  /** Enough rows to be stopped among them several times. */
  private static final int FEWER = 1000;

  private @Nullable TestRuns runs;

  /** The connector under test; the same object each time. */
  protected abstract Connector connector();

  /**
   * Puts text rows in place and returns the endpoint that reads exactly these.
   *
   * @param fields names, unique
   * @param rows texts, not null
   */
  protected abstract Map<String, ?> endpointWith(List<String> fields, List<List<String>> rows)
      throws Exception;

  /** Whether rows differ from each other; a generator may only repeat one. */
  protected boolean repeatsOneRow() {
    return false;
  }

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

  private List<List<String>> manyRows(int count) {
    List<List<String>> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String id = repeatsOneRow() ? "7" : Integer.toString(i);
      rows.add(List.of(id, "na\"me, " + id, "línea\n" + id));
    }
    return rows;
  }

  @Test
  void givesAllRowsInOrder() throws Exception {
    List<List<String>> rows = manyRows(MANY);
    Collected collected = new Collected();
    RunStatus status =
        runs()
            .run(
                endpointWith(List.of("id", "name", "text"), rows),
                TestRuns.collect(collected),
                "exit_on_empty",
                true,
                "max_batch_rows",
                100,
                "concurrency",
                3);
    assertThat(status.error()).isNull();
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(collected.rows()).isEqualTo(rows);
    assertThat(status.messages()).isEqualTo(MANY);
    assertThat(status.committed()).isEqualTo(MANY);
    assertThat(collected.end()).isEqualTo("finish");
  }

  @Test
  void countsOneRow() throws Exception {
    Collected collected = new Collected();
    RunStatus status =
        runs()
            .run(
                endpointWith(List.of("a"), List.of(List.of("x"))),
                TestRuns.collect(collected),
                "exit_on_empty",
                true);
    assertThat(collected.rows()).isEqualTo(List.of(List.of("x")));
    assertThat(status.messages()).isEqualTo(1);
    assertThat(status.averageMessagesPerSecond()).isPositive();
  }

  @Test
  void endsWithoutRows() throws Exception {
    Collected collected = new Collected();
    RunStatus status =
        runs()
            .run(
                endpointWith(List.of("a"), List.of()),
                TestRuns.collect(collected),
                "exit_on_empty",
                true);
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(status.messages()).isZero();
    assertThat(collected.rows()).isEmpty();
  }

  @Test
  void goesOnWhereItWasStopped() throws Exception {
    List<List<String>> rows = manyRows(FEWER);
    Map<String, ?> endpoint = endpointWith(List.of("id", "name", "text"), rows);
    Collected collected = new Collected();
    Map<String, ?> output =
        Map.of("collect", Map.of("into", collected, "keeps", "with_checkpoint"));
    if (!connector().capabilities().contains(Capability.RESUME)) {
      assertThatThrownBy(() -> runs().start(endpoint, output, "resume", true))
          .isInstanceOfSatisfying(
              SpecException.class,
              e -> assertThat(e.problems().getFirst().path()).isEqualTo("/resume"));
      return;
    }
    int stops = 0;
    RunState state = RunState.STOPPED;
    while (state == RunState.STOPPED) {
      Run run =
          runs()
              .start(
                  endpoint,
                  output,
                  "resume",
                  true,
                  "exit_on_empty",
                  true,
                  "max_batch_rows",
                  7,
                  "max_batch_bytes",
                  500,
                  "limit_rows_per_second",
                  4000);
      // Stopped as soon as it has moved: at ever other places.
      while (run.status().messages() < 7 * (stops % 5 + 1L) && !run.status().finished()) {
        Thread.sleep(1);
      }
      assertThat(run.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
      assertThat(run.status().error()).isNull();
      state = run.status().state();
      stops++;
      int soFar = collected.rows().size();
      assertThat(collected.rows()).isEqualTo(rows.subList(0, soFar));
    }
    assertThat(stops).as("runs that it took").isGreaterThan(2);
    assertThat(collected.rows()).isEqualTo(rows);
  }

  @Test
  void stopsAtOnce() throws Exception {
    Run run =
        runs()
            .start(
                endpointWith(List.of("id", "name", "text"), manyRows(MANY)),
                TestRuns.collect(new Collected()),
                "max_batch_rows",
                1);
    assertThat(run.stop(StopMode.NOW, TestRuns.LONG)).isTrue();
    assertThat(run.status().state()).isIn(RunState.STOPPED, RunState.COMPLETED);
  }

  @Test
  void refusesAnUnknownOption() throws Exception {
    Map.Entry<String, ?> endpoint =
        endpointWith(List.of("a"), List.of()).entrySet().iterator().next();
    Map<Object, Object> options = new HashMap<>((Map<?, ?>) endpoint.getValue());
    options.put("no_such_option", 1);
    assertThatThrownBy(
            () ->
                runs().start(Map.of(endpoint.getKey(), options), TestRuns.collect(new Collected())))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              assertThat(e.problems()).hasSize(1);
              assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.UNKNOWN_OPTION);
              assertThat(e.problems().getFirst().path())
                  .isEqualTo("/input/" + endpoint.getKey() + "/no_such_option");
            });
  }
}
