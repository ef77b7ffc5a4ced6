package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  /** Gives as few bytes as it likes, as a pipe does. */
  private static final class Trickle extends ByteArrayInputStream {
    private final Random random;

    Trickle(byte[] bytes, Random random) {
      super(bytes);
      this.random = random;
    }

    @Override
    public synchronized int read(byte[] to, int offset, int length) {
      int most = random.nextBoolean() ? 1 + random.nextInt(10) : length;
      return super.read(to, offset, Math.min(most, length));
    }
  }

  @Test
  void cutsAsTheModelDoes() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int max = random.nextBoolean() ? 50 : 200_000;
      List<String> wanted = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      int lines = random.nextInt(40);
      for (int i = 0; i < lines; i++) {
        int length = random.nextInt(10) == 0 ? random.nextInt(300_000) : random.nextInt(100);
        String line = Character.toString('a' + random.nextInt(26)).repeat(length);
        text.append(line).append('\n');
        wanted.add(length > max ? "too long" : line);
      }
      if (random.nextBoolean()) {
        text.append("rest");
        wanted.add("rest");
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      assertThat(read(new LineReader(new Trickle(bytes, random), max)))
          .as("seed " + seed)
          .isEqualTo(wanted);
    }
  }

  private static List<String> read(LineReader reader) throws IOException {
    List<String> lines = new ArrayList<>();
    while (reader.next()) {
      lines.add(
          reader.tooLong()
              ? "too long"
              : new String(
                  reader.buffer(), reader.start(), reader.length(), StandardCharsets.UTF_8));
    }
    return lines;
  }
}
