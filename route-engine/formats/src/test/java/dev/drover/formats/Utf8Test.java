package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checks of text in {@link Utf8} and {@link CsvText} against plain ones. */
final class Utf8Test {

  private static final int ROUNDS = 20_000;

  private static final List<String> CHARACTERS =
      List.of(
          "a",
          "0123456789",
          "é",
          "\u0080",
          "\u07ff",
          "\u0800",
          "漢",
          "\ud7ff",
          "\ue000",
          "\uffff",
          "🦜",
          "\udbff\udfff");

  @Test
  void findsTheByteWhereTheDecoderStops() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      byte[] text = text(random);
      for (int i = random.nextInt(3); i > 0 && text.length > 0; i--) {
        text[random.nextInt(text.length)] = (byte) random.nextInt(256);
      }
      byte[] padded = Arrays.copyOf(text, text.length + Long.BYTES);
      assertThat(Utf8.firstInvalid(padded, 0, text.length))
          .as(Seed.name(round))
          .isEqualTo(decoderStop(text));
    }
  }

  @Test
  void countsCodePoints() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] text = text(Seed.round(round));
      assertThat(Utf8.codePoints(text, 0, text.length))
          .as(Seed.name(round))
          .isEqualTo((int) new String(text, UTF_8).codePoints().count());
    }
  }

  @Test
  void countsLineEnds() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      byte[] text = Seed.bytes(random, random.nextInt(40) + Long.BYTES, "\r\n\nab".getBytes(UTF_8));
      int to = random.nextInt(text.length - Long.BYTES + 1);
      int from = random.nextInt(to + 1);
      String plain = new String(text, from, to - from, UTF_8).replace("\r\n", "\n");
      assertThat(CsvText.lineEnds(text, from, to))
          .as(Seed.name(round))
          .isEqualTo((int) plain.chars().filter(c -> c == '\n' || c == '\r').count());
    }
  }

  private static int decoderStop(byte[] text) {
    ByteBuffer in = ByteBuffer.wrap(text);
    CoderResult result = UTF_8.newDecoder().decode(in, CharBuffer.allocate(text.length + 1), true);
    return result.isError() ? in.position() : -1;
  }

  private static byte[] text(Random random) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.writeBytes(CHARACTERS.get(random.nextInt(CHARACTERS.size())).getBytes(UTF_8));
    }
    return text.toByteArray();
  }
}
