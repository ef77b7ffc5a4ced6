package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The writer against the reader, which is another library's work. */
class JsonWriterTest {

  @Test
  void writesWhatTheReaderReads() throws Exception {
    for (int seed = 0; seed < 500; seed++) {
      Object value = value(new Random(seed), 4);
      JsonWriter json = new JsonWriter().any(value);
      assertThat(JsonReader.read(json.toString())).as("seed " + seed).isEqualTo(value);
      Object quoted = JsonReader.read(new JsonWriter().quoted(json).toString());
      assertThat(quoted).as("seed " + seed).isEqualTo(json.toString());
    }
  }

  private static @Nullable Object value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 7)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextLong() >> random.nextInt(64);
      case 3 -> new BigDecimal("-0.1230");
      case 4 -> text(random);
      case 5 -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
      default -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          map.put(text(random), value(random, depth - 1));
        }
        yield map;
      }
    };
  }

  private static String text(Random random) {
    int[] borders = {0, '"', '\\', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000};
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int point = borders[random.nextInt(borders.length)] + random.nextInt(3);
      text.appendCodePoint(Character.getType(point) == Character.SURROGATE ? 'x' : point);
    }
    return text.toString();
  }

  @Test
  void replacesLoneSurrogates() {
    assertThat(new JsonWriter().value("a\ud800b\udc00").toString()).isEqualTo("\"a\ufffdb\ufffd\"");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 6, 0.0",
    "7, 6, 0.000007",
    "342117, 6, 0.342117",
    "1500000, 6, 1.5",
    "23809523, 1, 2380952.3",
    "9223372036854775807, 6, 9223372036854.775807",
  })
  void writesDecimals(long unscaled, int scale, String wanted) {
    assertThat(new JsonWriter().decimal(unscaled, scale).toString()).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "9", "10", "-9223372036854775808", "9223372036854775807"})
  void writesNumbers(long value) {
    assertThat(new JsonWriter().value(value).toString()).isEqualTo(Long.toString(value));
  }
}
