package dev.drover.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DoubledQuotesTest {

  @Test
  void undoesWhatDoublingHasDone() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int n = 0; n < 50_000; n++) {
      StringBuilder plain = new StringBuilder();
      int length = random.nextInt(40);
      for (int i = 0; i < length; i++) {
        plain.append("\"\"\"a¢!#".charAt(random.nextInt(7)));
      }
      byte[] doubled = plain.toString().replace("\"", "\"\"").getBytes(UTF_8);
      int from = random.nextInt(9);
      byte[] arena = new byte[from + doubled.length + Batch.PADDING];
      Arrays.fill(arena, (byte) '"');
      System.arraycopy(doubled, 0, arena, from, doubled.length);
      byte[] behind = Arrays.copyOfRange(arena, from + doubled.length, arena.length);

      int now = DoubledQuotes.undo(arena, from, doubled.length);

      assertThat(new String(arena, from, now, UTF_8))
          .as("seed %d, round %d", seed, n)
          .isEqualTo(plain.toString());
      assertThat(Arrays.copyOfRange(arena, from + doubled.length, arena.length)).isEqualTo(behind);
    }
  }
}
