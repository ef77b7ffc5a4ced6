package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CountersTest {

  private static final long MS = 1_000_000;

  @Test
  void timesFromTheFirstReadToTheLastAnswer() {
    Counters counters = new Counters();
    assertThat(counters.snapshot(5).elapsedNanos()).isZero();
    counters.firstRead(100 * MS);
    counters.firstRead(110 * MS);
    assertThat(counters.snapshot(120 * MS).elapsedNanos()).isEqualTo(20 * MS);
    counters.answered(1000, 5000, 130 * MS);
    assertThat(counters.snapshot(500 * MS).elapsedNanos()).isEqualTo(30 * MS);
    counters.end(600 * MS);
    assertThat(counters.snapshot(700 * MS).elapsedNanos()).isEqualTo(30 * MS);
    assertThat(counters.snapshot(700 * MS).messages()).isEqualTo(1000);
  }

  @Test
  void aRunWithoutRowsTookTimeToo() {
    Counters counters = new Counters();
    counters.firstRead(100 * MS);
    counters.end(140 * MS);
    assertThat(counters.snapshot(900 * MS).elapsedNanos()).isEqualTo(40 * MS);
  }

  @Test
  void theRateIsThatOfTheLastSecond() {
    Counters counters = new Counters();
    counters.firstRead(0);
    for (int i = 1; i <= 300; i++) {
      counters.answered(i <= 200 ? 10 : 30, 0, i * 10L * MS);
    }
    Counters.Snapshot snapshot = counters.snapshot(3000 * MS);
    assertThat(snapshot.messagesPerSecond()).isCloseTo(3000, within(100.0));
    // Idle for two seconds: nothing has come in the last one.
    assertThat(counters.snapshot(5000 * MS).messagesPerSecond()).isLessThan(50);
    counters.end(5000 * MS);
    assertThat(counters.snapshot(5000 * MS).messagesPerSecond()).isZero();
  }

  @Test
  void committedNeverGoesDown() {
    Counters counters = new Counters();
    counters.committed(10);
    counters.committed(5);
    assertThat(counters.snapshot(0).committed()).isEqualTo(10);
  }
}
