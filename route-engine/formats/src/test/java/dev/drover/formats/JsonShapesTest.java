package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.spi.Batch;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a shape says yes to, the scanner says yes to. */
class JsonShapesTest {

  private static final int ROUNDS = 30_000;
  private static final int DEPTH = 20;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"b\":\"x\"}     | {\"a\":-20.5,\"b\":\"long \\\" text\"} | true",
        "{\"a\":1}                 | {\"a\":null}                           | true",
        "{\"a\":1}                 | {\"a\":\"text\"}                       | false",
        "{\"a\":1}                 | {\"a\":01}                             | false",
        "{\"a\":1}                 | {\"a\":1.}                             | false",
        "{\"a\":1}                 | {\"a\":1e5}                            | false",
        "{\"a\":1}                 | {\"a\":1} x                            | false",
        "{\"a\":1}                 | {\"a\":1                               | false",
        "{\"a\":\"x\"}             | {\"a\":\"tab\\u0009\"}                 | false",
        "{\"a\":\"x\"}             | {\"a\":\"x}                            | false",
        "[1,\"b\",[true]]          | [2,\"c\",[false]]                      | true",
        "[]                        | []                                     | true",
        "{\"a long key, longer than sixteen bytes\":{\"b\":[]},\"c\":1} | "
            + "{\"a long key, longer than sixteen bytes\":{\"b\":[]},\"c\":2} | true",
        "{\"a long key, longer than sixteen bytes\":{\"b\":[]},\"c\":1} | "
            + "{\"a long key, longer than sixteen bytez\":{\"b\":[]},\"c\":2} | false",
      })
  void knowsWhatIsBuiltAlike(String first, String second, boolean expected) {
    JsonShapes shapes = new JsonShapes();
    byte[] known = padded(first.strip());
    shapes.learn(known, 0, first.strip().getBytes(UTF_8).length);
    String text = second.strip();
    assertThat(shapes.matches(padded(text), 0, text.getBytes(UTF_8).length)).isEqualTo(expected);
  }

  @Test
  void severalShapesAreKnownAtATime() {
    JsonShapes shapes = new JsonShapes();
    String[] texts = {
      "{\"a\":[1]}", "{\"a\":[\"x\"]}", "{\"a\":[1,2]}", "{\"a\":{}}", "5", "\"t\""
    };
    for (String text : texts) {
      shapes.learn(padded(text), 0, text.length());
    }
    for (String text : texts) {
      assertThat(shapes.matches(padded(text), 0, text.length())).as(text).isTrue();
    }
  }

  @Test
  void neverSaysYesToWhatIsNotWellFormed() {
    JsonShapes shapes = new JsonShapes();
    int alike = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      if (round % 500 == 0) {
        shapes = new JsonShapes();
      }
      StringBuilder text = new StringBuilder();
      value(random, text, 3);
      if (random.nextInt(3) == 0) {
        damage(random, text);
      }
      int length = text.toString().getBytes(UTF_8).length;
      byte[] in = padded(text.toString());
      JsonScanner scanner = new JsonScanner(in, DEPTH);
      boolean wellFormed = scanner.value(0, length) == length;
      boolean matches = shapes.matches(in, 0, length);
      assertThat(matches && !wellFormed).as(Seed.name(round) + " " + text).isFalse();
      alike += matches ? 1 : 0;
      if (wellFormed && !matches) {
        shapes.learn(in, 0, length);
      }
    }
    assertThat(alike).as("documents of a known shape").isGreaterThan(ROUNDS / 10);
  }

  private static void value(Random random, StringBuilder out, int depth) {
    switch (random.nextInt(depth == 0 ? 5 : 7)) {
      case 0 -> out.append(random.nextInt(-100, 100));
      case 1 -> out.append(random.nextInt(1000) / 8.0);
      case 2 -> out.append(random.nextBoolean() ? "true" : "null");
      case 3 -> out.append("\"é\\n\"");
      case 4 -> out.append('"').append("text ".repeat(random.nextInt(4))).append('"');
      case 5 -> {
        out.append('[');
        int size = random.nextInt(3);
        for (int i = 0; i < size; i++) {
          out.append(i == 0 ? "" : ",");
          value(random, out, depth - 1);
        }
        out.append(']');
      }
      default -> {
        out.append('{');
        int size = random.nextInt(3);
        for (int i = 0; i < size; i++) {
          out.append(i == 0 ? "" : random.nextInt(8) == 0 ? ", " : ",");
          out.append("\"key").append(i == 0 ? "" : "\\\"_").append("\":");
          value(random, out, depth - 1);
        }
        out.append('}');
      }
    }
  }

  private static void damage(Random random, StringBuilder text) {
    int at = random.nextInt(text.length());
    switch (random.nextInt(3)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, "{}[],:\"\\01e.- \n".charAt(random.nextInt(15)));
      default -> text.setCharAt(at, "{}[],:\"\\01e.- \n".charAt(random.nextInt(15)));
    }
  }

  private static byte[] padded(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return Arrays.copyOf(bytes, bytes.length + Batch.PADDING);
  }
}
