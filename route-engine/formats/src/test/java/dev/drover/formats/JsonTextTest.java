package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast writer of JSON text writes what the plain one writes. */
final class JsonTextTest {

  private static final int ROUNDS = 20_000;

  private static final List<String> ALPHABETS =
      List.of(
          "abcdefghijklmnopqrstuvwxyz 0123456789{}[]:,\"",
          "\"a",
          "\"\"\"\\\\ab",
          "\0\u0001\u001f \"\\\u007f\u0080\u00ff\u00a0\u009f!#[]",
          "\n\r\t\b\f\"a");

  @Test
  void writesText() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] text = text(round);
      byte[] in = around(round, text);
      byte[] out = new byte[text.length * JsonText.GROWTH + JsonOutput.OVERRUN + 3];
      int end = JsonText.write(in, 5, text.length, out, 3);
      assertThat(Arrays.copyOfRange(out, 3, end))
          .as(Seed.name(round))
          .isEqualTo(PlainJson.escape(text));
    }
  }

  @Test
  void writesTextWithDoubledQuotes() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] text = new String(text(round), ISO_8859_1).replace("\"", "\"\"").getBytes(ISO_8859_1);
      byte[] in = around(round, text);
      byte[] out = new byte[text.length * JsonText.GROWTH + JsonOutput.OVERRUN + 3];
      int end = JsonText.writeDoubled(in, 5, text.length, out, 3);
      assertThat(Arrays.copyOfRange(out, 3, end))
          .as(Seed.name(round))
          .isEqualTo(PlainJson.escape(PlainJson.undouble(text)));
    }
  }

  @Test
  void writesLongTextInPieces() {
    for (int round = 0; round < 40; round++) {
      Random random = Seed.round(round);
      byte[] alphabet = ALPHABETS.get(round % ALPHABETS.size()).getBytes(ISO_8859_1);
      byte[] plain = Seed.bytes(random, 3 * JsonOutput.PIECE_BYTES + random.nextInt(99), alphabet);
      byte[] doubled = new String(plain, ISO_8859_1).replace("\"", "\"\"").getBytes(ISO_8859_1);
      HeapBuffers buffers = new HeapBuffers();
      JsonOutput out = new JsonOutput(buffers, 10);
      out.text(around(round, plain), 5, plain.length);
      out.doubledText(around(round, doubled), 5, doubled.length);

      byte[] escaped = PlainJson.escape(plain);
      assertThat(Arrays.copyOf(out.bytes, out.at))
          .as(Seed.name(round))
          .isEqualTo(new String(escaped, ISO_8859_1).repeat(2).getBytes(ISO_8859_1));
      out.done(1).release();
      assertThat(buffers.held()).isZero();
    }
  }

  private static byte[] text(int round) {
    Random random = Seed.round(round);
    byte[] alphabet = ALPHABETS.get(round % ALPHABETS.size()).getBytes(ISO_8859_1);
    return Seed.bytes(random, random.nextInt(70), alphabet);
  }

  /** The text from index 5 on, with bytes around it that would have to be escaped. */
  private static byte[] around(int round, byte[] text) {
    byte[] in =
        Seed.bytes(Seed.round(round), text.length + 5 + Long.SIZE, new byte[] {'"', '\\', 1});
    System.arraycopy(text, 0, in, 5, text.length);
    return in;
  }
}
