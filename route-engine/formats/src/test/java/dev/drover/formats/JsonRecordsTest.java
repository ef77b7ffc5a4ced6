package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class JsonRecordsTest {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private static FormatOptions options(String format, int recordBytes, int depth, int rows) {
    return new FormatOptions(format, CsvOptions.DEFAULTS, recordBytes, depth, rows);
  }

  private static CsvFeed read(String json, FormatOptions options, boolean skip) {
    CsvFeed feed = new CsvFeed(options, skip).withoutRows();
    byte[] bytes = json.getBytes(UTF_8);
    feed.read(bytes, at -> bytes.length);
    assertThat(feed.buffers.held()).isZero();
    return feed;
  }

  private static String json(CsvFeed feed) {
    return feed.json.toString(UTF_8);
  }

  @Test
  void keepsValuesAsTheyStand() {
    String row =
        "{\"a\":1.10,\"b\":\"x\\u00e9\\/\",\"c\":{\"d\": [1, 2 ]},\"e\":null,\"f\":true}\n";
    assertThat(json(read(row, FormatOptions.of("jsonl"), false))).isEqualTo(row);
  }

  @Test
  void rowsMayLackKeysAndHaveThemInAnyOrder() {
    CsvFeed feed =
        read(
            "{\"a\":1,\"b\":2}\n\n \t\r\n{\"b\":3,\"c\":4,\"a\":5}\n{}\n{\"\":6,\"a\":7,\"a\":8}",
            FormatOptions.of("jsonl"),
            false);
    assertThat(json(feed))
        .isEqualTo("{\"a\":1,\"b\":2}\n{\"a\":5,\"b\":3,\"c\":4}\n{}\n{\"a\":8,\"\":6}\n");
    assertThat(feed.names()).containsExactly("a", "b", "c", "");
    assertThat(feed.records).isEqualTo(4);
    assertThat(feed.lines).isEqualTo(5);
  }

  @Test
  void keysThatAreWrittenDifferentlyMayBeTheSame() {
    CsvFeed feed =
        read("{\"\\u0061b\":1}\n{\"ab\":2}\n{\"a\\u0062\":3}\n", FormatOptions.of("jsonl"), false);
    assertThat(feed.names()).containsExactly("ab");
    assertThat(json(feed)).isEqualTo("{\"ab\":1}\n{\"ab\":2}\n{\"ab\":3}\n");
  }

  @Test
  void rowsThatAreJsonAreCopiedAsTheyStand() {
    String lines = "{\"a\": 1, \"b\":[ ]}\r\n\n  {\"b\":\"\\u0041\"} \n{\"a\":2,\"b\":3}\n{}";
    CsvFeed feed = read(lines, FormatOptions.of("jsonl"), false);
    assertThat(feed.copied.toString(UTF_8))
        .isEqualTo("{\"a\": 1, \"b\":[ ]}\n{\"b\":\"\\u0041\"}\n{\"a\":2,\"b\":3}\n{}\n");
    feed = read("{\"a\":1,\"a\":2}\n{\"a\":3}\n", FormatOptions.of("jsonl"), false);
    assertThat(feed.copied.toString(UTF_8)).isEqualTo("{\"a\":2}\n{\"a\":3}\n");
  }

  @Test
  void refusedRowsLeaveNothingBehind() {
    CsvFeed feed =
        read(
            "{\"a\":1}\n{\"z\":1,}\n{\"a\":2}\nnull\n{\"y\":1} x\n{\"a\":3}\n",
            FormatOptions.of("jsonl"),
            true);
    assertThat(json(feed)).isEqualTo("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
    assertThat(feed.names()).containsExactly("a");
    assertThat(feed.rejected).extracting(RejectedRow::line).containsExactly(2L, 4L, 5L);
    assertThat(feed.rejected).extracting(RejectedRow::column).containsExactly(8, 1, 9);
    assertThat(feed.rejected).extracting(RejectedRow::code).containsOnly(ErrorCode.INVALID_JSON);
    assertThat(feed.records).isEqualTo(6);
  }

  @Test
  void namesItsLimits() {
    assertThatThrownBy(() -> read("{\"a\":[[1]]}\n", options("jsonl", 1 << 20, 1, 10), false))
        .hasMessageContaining("`max_depth` (1)");
    assertThatThrownBy(() -> read("{\"a\":12345}\n", options("jsonl", 10, 5, 10), false))
        .hasMessageContaining("`max_record_bytes` (10)");
    assertThatThrownBy(() -> read("1234567890123", options("raw", 10, 5, 10), false))
        .hasMessageContaining("`max_record_bytes` (10)");
    assertThat(json(read("{\"a\":[[1]]}\n", options("jsonl", 11, 2, 10), false)))
        .isEqualTo("{\"a\":[[1]]}\n");
  }

  @Test
  void batchesHaveNoMoreRowsThanAskedFor() {
    CsvFeed feed = read("{\"a\":1}\n".repeat(25), options("jsonl", 100, 5, 10), false);
    assertThat(feed.batches).isEqualTo(3);
    assertThat(feed.largestBatch).isEqualTo(10);
    feed = read("x\n".repeat(25), options("raw", 100, 5, 10), false);
    assertThat(feed.batches).isEqualTo(3);
  }

  @Test
  void rawLinesStayAsTheyAre() {
    CsvFeed feed = read("a\r\n\n{not json}\nlast\r", FormatOptions.of("raw"), false);
    assertThat(json(feed)).isEqualTo("a\n\n{not json}\nlast\r\n");
    assertThat(feed.records).isEqualTo(4);
    assertThat(feed.lines).isEqualTo(3);
  }

  /** Random documents, sometimes broken: the same rows and the same refusals as Jackson. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAnotherReader(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 400; i++) {
      List<String> lines = new ArrayList<>();
      for (int row = random.nextInt(6); row >= 0; row--) {
        String line = object(random, 0);
        String maybeBroken = random.nextInt(8) == 0 ? broken(line, random) : line;
        // Half a surrogate pair becomes what it is in UTF-8.
        lines.add(new String(maybeBroken.getBytes(UTF_8), UTF_8));
      }
      List<Map<String, JsonNode>> wanted = new ArrayList<>();
      for (String line : lines) {
        Map<String, JsonNode> row = jackson(line);
        if (row != null) {
          wanted.add(row);
        }
      }
      CsvFeed feed =
          read(
              String.join("\n", lines), options("jsonl", 1 << 20, 50, 1 + random.nextInt(4)), true);
      List<Map<String, JsonNode>> found = new ArrayList<>();
      for (String line : json(feed).split("\n", -1)) {
        if (!line.isEmpty()) {
          found.add(Objects.requireNonNull(jackson(line)));
        }
      }
      assertThat(found).as("seed %d, document %d: %s", seed, i, lines).isEqualTo(wanted);
    }
  }

  /** Null if it is no object. */
  private static @Nullable Map<String, JsonNode> jackson(String line) {
    try {
      JsonNode node = MAPPER.readTree(line);
      if (!node.isObject()) {
        return null;
      }
      Map<String, JsonNode> fields = new LinkedHashMap<>();
      node.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
      return fields;
    } catch (JacksonException e) {
      return null;
    }
  }

  private static String broken(String line, Random random) {
    int at = random.nextInt(line.length());
    return switch (random.nextInt(3)) {
      case 0 -> line.substring(0, at);
      case 1 ->
          line.substring(0, at)
              + "\"\\,:{}[]0e-+.x ".charAt(random.nextInt(15))
              + line.substring(at);
      default -> line.substring(0, at) + line.substring(at + 1);
    };
  }

  private static String object(Random random, int depth) {
    StringBuilder text = new StringBuilder("{");
    int fields = random.nextInt(6);
    for (int i = 0; i < fields; i++) {
      text.append(i == 0 ? "" : ",").append(space(random));
      text.append('"').append((char) ('a' + (random.nextInt(3) == 0 ? random.nextInt(5) : i)));
      text.append("\"").append(space(random)).append(':').append(space(random));
      text.append(value(random, depth + 1)).append(space(random));
    }
    return text.append('}').toString();
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth < 4 ? 9 : 7)) {
      case 0 -> "null";
      case 1 -> "true";
      case 2 -> Integer.toString(random.nextInt());
      case 3 -> random.nextInt(1000) + ".0" + random.nextInt(1000) + "e-" + random.nextInt(20);
      case 4 -> "\"\"";
      case 5 -> "\"" + "ä€𝄞x".repeat(random.nextInt(4)) + "\\n\\u0041\\\\\\\"\"";
      case 6 -> "false";
      case 7 -> object(random, depth);
      default -> "[" + value(random, depth + 1) + "," + value(random, depth + 1) + "]";
    };
  }

  private static String space(Random random) {
    // Rarely, so that many lines look like the one before.
    return random.nextInt(30) == 0 ? " \t\r".substring(random.nextInt(3)) : "";
  }

  @Test
  void anErrorSaysWhereItIs() {
    assertThatThrownBy(() -> read("{\"a\":1}\n{\"ä\":tru}\n", FormatOptions.of("jsonl"), false))
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> assertThat(e).hasMessage("line 2, column 6 (record 2): this is no JSON value"));
  }
}
