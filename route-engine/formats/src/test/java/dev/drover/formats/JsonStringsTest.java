package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast reader of JSON strings reads what the plain one reads, and ends where that ends. */
class JsonStringsTest {

  private static final int ROUNDS = 50_000;

  private static final String[] PIECES = {
    "a", "bc", "0123456789abcdef", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t",
    "\\u0041", "\\u00e9", "\\u20AC", "\\ud83d\\ude00", "é", "€", "😀", "\\\\\\\"", " ", "{", ","
  };

  private static final String[] FAULTS = {
    "\\ud83d",
    "\\ude00",
    "\\ud83dx",
    "\\ud83d\\u0041",
    "\\x",
    "\\u12",
    "\\u12g4",
    "\n",
    "\0",
    "\u001f",
    "\\",
    "\""
  };

  @Test
  void copiesTheText() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      StringBuilder text = new StringBuilder();
      int pieces = random.nextInt(12);
      int faultAt = random.nextInt(3) == 0 ? random.nextInt(pieces + 1) : -1;
      for (int i = 0; i <= pieces; i++) {
        text.append(
            i == faultAt
                ? FAULTS[random.nextInt(FAULTS.length)]
                : PIECES[random.nextInt(PIECES.length)]);
      }
      boolean closed = random.nextInt(4) > 0;
      byte[] inside = text.append(closed ? "\"" : "").toString().getBytes(UTF_8);
      byte[] in = new byte[3 + inside.length + Batch.PADDING];
      random.nextBytes(in);
      System.arraycopy(inside, 0, in, 3, inside.length);
      int end = 3 + inside.length;
      JsonOutput out = new JsonOutput(Buffers.heap(), 0);
      out.put("xy");
      int reached = JsonStrings.copy(in, 3, end, out);
      ByteArrayOutputStream plain = new ByteArrayOutputStream();
      int expected = PlainJson.text(in, 3, end, plain);
      assertThat(reached).as(Seed.name(round) + " " + text).isEqualTo(expected);
      assertThat(Arrays.copyOfRange(out.bytes, 2, out.at))
          .as(Seed.name(round) + " " + text)
          .isEqualTo(plain.toByteArray());
    }
  }

  @Test
  void findsAByte() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      byte[] in = Seed.bytes(random, random.nextInt(100) + 1, "aaaaaaaaab\u000b\t".getBytes(UTF_8));
      byte[] padded = Arrays.copyOf(in, in.length + Batch.PADDING);
      Arrays.fill(padded, in.length, padded.length, (byte) '\n');
      if (random.nextBoolean()) {
        padded[random.nextInt(in.length)] = '\n';
      }
      int from = random.nextInt(in.length);
      int expected = from;
      while (expected < in.length && padded[expected] != '\n') {
        expected++;
      }
      assertThat(Swar.find(padded, from, in.length, Swar.LINE_FEEDS))
          .as(Seed.name(round))
          .isEqualTo(expected);
    }
  }
}
