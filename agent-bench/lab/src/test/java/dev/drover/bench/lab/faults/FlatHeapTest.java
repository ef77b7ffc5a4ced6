package dev.drover.bench.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gigabyte in a heap of 64 MiB; {@code drover bench faults --long} moves ten. */
class FlatHeapTest {
  private static final long BYTES = 1_000_000_000;
  private static final int LEAST_SAMPLES = 5;

  @TempDir private Path folder = Path.of("");

  @Test
  void aSlowSinkHoldsTheReader() throws Exception {
    HeapRun seen = HeapRun.of(folder, BYTES);
    System.out.println(seen.text());
    assertThat(seen.mostUsedMib()).isLessThanOrEqualTo(HeapRun.MOST_USED_MIB);
    assertThat(seen.mostAheadMib()).isPositive().isLessThanOrEqualTo(HeapRun.MOST_AHEAD_MIB);
    assertThat(seen.samples()).isGreaterThanOrEqualTo(LEAST_SAMPLES);
  }
}
