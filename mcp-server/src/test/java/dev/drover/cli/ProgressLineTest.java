package dev.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.spi.Guarantee;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ProgressLine line =
      new ProgressLine(new PrintStream(bytes, true, StandardCharsets.UTF_8));

  private static RunStatus status(long elapsedMillis, long bytesIn, long totalBytes) {
    return new RunStatus(
        "copy",
        RunState.RUNNING,
        1_234_567,
        0,
        0,
        0,
        0,
        0,
        bytesIn,
        0,
        totalBytes,
        elapsedMillis * 1_000_000,
        1_000_000,
        Guarantee.EXACTLY_ONCE,
        "",
        false,
        null,
        null,
        null,
        List.of());
  }

  @Test
  void saysHowFarARunIsAndHowLongItStillTakes() {
    assertThat(ProgressLine.text(status(2_000, 100_000_000, 400_000_000)))
        .isEqualTo("1,234,567 rows, 1,000,000 rows/s, 50.0 MB/s, 2.0 s, 25 %, 6.0 s left");
  }

  @Test
  void saysNothingOfTheEndWhenTheSizeIsUnknown() {
    assertThat(ProgressLine.text(status(200_000, 100_000_000, -1)))
        .isEqualTo("1,234,567 rows, 1,000,000 rows/s, 0.5 MB/s, 3 min 20 s");
  }

  @Test
  void isSilentAtFirstAndTakesItselfAway() {
    line.update(status(100, 1, 100));
    line.clear();
    assertThat(bytes.size()).isZero();
    line.update(status(600, 1, 100));
    line.clear();
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .startsWith("\r\033[K1,234")
        .endsWith("\r\033[K");
  }
}
