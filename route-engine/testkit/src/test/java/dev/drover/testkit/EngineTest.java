package dev.drover.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.Engine;
import dev.drover.runtime.IfExists;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.RouteSpec;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StopMode;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.RowsConnector.Then;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineTest {

  private static final List<String> FIELDS = List.of("n");

  private final TestRuns runs = new TestRuns();

  @AfterEach
  void close() {
    runs.close();
  }

  private static List<List<String>> rows(int count) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(List.of(Integer.toString(i)));
    }
    return rows;
  }

  private RouteSpec spec(
      @Nullable String name, List<List<String>> rows, Then then, Collected into) {
    return new RouteReader(runs.engine().connectors(), WriteMode.CREATE)
        .read(
            Map.of("input", TestRuns.rows(FIELDS, rows, then), "output", TestRuns.collect(into)),
            name,
            RouteReader.Overrides.NONE,
            "");
  }

  @Test
  void commitsOnlyWhatIsAnsweredWhateverTheOrder() throws Exception {
    // Answers come from another thread, in random order.
    long seed = 20261130;
    Random random = new Random(seed);
    Deque<Runnable> waiting = new ArrayDeque<>();
    Collected collected =
        new Collected()
            .answeredBy(
                task -> {
                  synchronized (waiting) {
                    waiting.add(task);
                  }
                });
    Run run =
        runs.start(
            TestRuns.rows(FIELDS, rows(5000), Then.END),
            TestRuns.collect(collected),
            "max_batch_rows",
            10);
    while (!run.await(Duration.ZERO)) {
      Runnable task = null;
      synchronized (waiting) {
        List<Runnable> shuffled = new ArrayList<>(waiting);
        Collections.shuffle(shuffled, random);
        if (!shuffled.isEmpty()) {
          task = shuffled.getFirst();
          waiting.remove(task);
        }
      }
      if (task == null) {
        Thread.sleep(1);
      } else {
        task.run();
      }
    }
    RunStatus status = run.status();
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(status.messages()).isEqualTo(5000);
    assertThat(status.committed()).isEqualTo(5000);
    assertThat(collected.rows()).hasSize(5000).containsExactlyInAnyOrderElementsOf(rows(5000));
    long before = 0;
    for (Map<Split, Offset> commit : collected.commits()) {
      long offset = Long.parseLong(commit.values().iterator().next().text());
      assertThat(offset).isGreaterThanOrEqualTo(before);
      before = offset;
    }
    assertThat(before).isEqualTo(5000);
  }

  @Test
  void aSinkThatDoesNotAnswerHoldsTheReader() throws Exception {
    ConcurrentLinkedQueue<Runnable> never = new ConcurrentLinkedQueue<>();
    Run run =
        runs.start(
            TestRuns.rows(FIELDS, rows(100_000), Then.END),
            TestRuns.collect(new Collected().answeredBy(never::add)),
            "max_batch_rows",
            10,
            "concurrency",
            2);
    long seen = -1;
    while (seen != run.status().bytesIn() || seen == 0) {
      seen = run.status().bytesIn();
      Thread.sleep(50);
    }
    // 16 chunks for each of 4 + 3 * 2 slots, and those in the slots themselves.
    assertThat(never.size()).isLessThanOrEqualTo(160);
    assertThat(run.status().messages()).isZero();
    assertThat(run.status().committed()).isZero();
    assertThat(run.stop(StopMode.NOW, TestRuns.LONG)).isTrue();
    assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
  }

  @Test
  void aFailedWriteFailsTheRun() {
    Collected collected = new Collected().failAfterRows(500);
    RunStatus status =
        runs.run(
            TestRuns.rows(FIELDS, rows(5000), Then.END),
            TestRuns.collect(collected),
            "max_batch_rows",
            100);
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(status.stage()).isEqualTo("write");
    assertThat(status.error()).extracting(e -> e.code()).isEqualTo(ErrorCode.DISK_FULL);
    assertThat(status.messages()).isEqualTo(500);
    assertThat(collected.end()).isEqualTo("abort");
  }

  @Test
  void namesAreFreeOnceTheRunHasEnded() throws Exception {
    Engine engine = runs.engine();
    Run first = engine.start(spec("r", rows(1), Then.WAIT, new Collected()), IfExists.ERROR);
    RouteSpec other = spec("r", rows(2), Then.END, new Collected());
    assertThatThrownBy(() -> engine.start(other, IfExists.ERROR))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.ROUTE_EXISTS));
    assertThat(engine.start(other, IfExists.RETURN)).isSameAs(first);
    Run replacing = engine.start(other, IfExists.REPLACE);
    assertThat(replacing).isNotSameAs(first);
    assertThat(first.status().state()).isEqualTo(RunState.STOPPED);
    assertThat(TestRuns.await(replacing).state()).isEqualTo(RunState.COMPLETED);
    // A caller that lost the answer asks again for the same: it gets the run that has ended.
    assertThat(engine.start(other, IfExists.RETURN)).isSameAs(replacing);
    assertThat(engine.start(other, IfExists.ERROR)).isNotSameAs(replacing);
  }

  @Test
  void remembersAHundredEndedRuns() {
    for (int i = 0; i < Engine.HISTORY + 20; i++) {
      TestRuns.await(
          runs.engine().start(spec(null, rows(1), Then.END, new Collected()), IfExists.ERROR));
    }
    assertThat(runs.engine().runs().size()).isBetween(Engine.HISTORY, Engine.HISTORY + 1);
    assertThat(runs.engine().find("route-1")).isNull();
    assertThat(runs.engine().find("route-120")).isNotNull();
  }

  @Test
  void deliversNoMoreThanTheLimit() {
    Collected collected = new Collected();
    Run run =
        runs.engine()
            .start(spec(null, rows(5000), Then.END, collected).withLimitRows(1234), IfExists.ERROR);
    RunStatus status = TestRuns.await(run);
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(status.messages()).isEqualTo(1234);
    assertThat(collected.rows()).isEqualTo(rows(1234));
  }

  @Test
  void timeStandsStillOnceTheRunHasEnded() throws Exception {
    long start = System.nanoTime();
    RunStatus status =
        runs.run(TestRuns.rows(FIELDS, rows(1000), Then.END), TestRuns.collect(new Collected()));
    long wall = System.nanoTime() - start;
    assertThat(status.elapsedNanos()).isPositive().isLessThanOrEqualTo(wall);
    Run run = runs.engine().find(status.name());
    assertThat(run).isNotNull();
    Thread.sleep(20);
    if (run != null) {
      assertThat(run.status()).isEqualTo(status);
    }
  }

  @Test
  void closingLetsFiniteRunsEndAndDrainsTheOthers() {
    Collected collected = new Collected();
    Run live = runs.engine().start(spec("live", rows(3), Then.WAIT, collected), IfExists.ERROR);
    Run finite =
        runs.engine()
            .start(spec("finite", rows(50_000), Then.END, new Collected()), IfExists.ERROR);
    runs.engine().close();
    assertThat(finite.status().state()).isEqualTo(RunState.COMPLETED);
    assertThat(live.status().state()).isEqualTo(RunState.STOPPED);
    assertThat(live.status().committed()).isEqualTo(live.status().messages());
  }

  @Test
  void aFiniteSourceDoesNotWait() {
    assertThatThrownBy(
            () ->
                runs.start(
                    TestRuns.rows(FIELDS, rows(1), Then.END),
                    TestRuns.collect(new Collected()),
                    "exit_on_empty",
                    false))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
              assertThat(e.problems().getFirst().path()).isEqualTo("/exit_on_empty");
            });
  }
}
