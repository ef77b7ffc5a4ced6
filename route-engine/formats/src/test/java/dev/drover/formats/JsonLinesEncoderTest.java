package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.spi.Batch;
import dev.drover.spi.Encoded;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class JsonLinesEncoderTest {

  private static final long SECOND = 1_000_000;
  private static final long DAY = 86_400 * SECOND;

  static Stream<Arguments> values() {
    return Stream.of(
        fixed(Type.BOOL, 1, "true"),
        fixed(Type.BOOL, 0, "false"),
        fixed(Type.INT64, 0, "0"),
        fixed(Type.INT64, -10, "-10"),
        fixed(Type.INT64, 999, "999"),
        fixed(Type.INT64, 1000, "1000"),
        fixed(Type.INT64, Long.MAX_VALUE, "9223372036854775807"),
        fixed(Type.INT64, Long.MIN_VALUE, "-9223372036854775808"),
        fixed(Type.FLOAT32, Float.floatToRawIntBits(0.1f), "0.1"),
        fixed(Type.FLOAT32, Float.floatToRawIntBits(Float.NaN), "\"NaN\""),
        fixed(Type.FLOAT64, Double.doubleToRawLongBits(2e23), "2.0E23"),
        fixed(Type.FLOAT64, Double.doubleToRawLongBits(-0.0), "-0.0"),
        fixed(Type.FLOAT64, Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY), "\"-Infinity\""),
        fixed(Type.DATE, 0, "\"2000-01-01\""),
        fixed(Type.DATE, 59, "\"2000-02-29\""),
        fixed(Type.DATE, -1, "\"1999-12-31\""),
        fixed(Type.DATE, 2_921_940, "\"10000-01-01\""),
        fixed(Type.DATE, -730_485, "\"0001-01-01 BC\""),
        fixed(Type.DATE, -730_120, "\"0000-12-31\"".replace("0000-12-31", "0001-12-31 BC")),
        fixed(Type.DATE, -730_119, "\"0001-01-01\""),
        fixed(Type.DATE, Long.MAX_VALUE, "\"infinity\""),
        fixed(Type.TIME, 0, "\"00:00:00\""),
        fixed(Type.TIME, DAY, "\"24:00:00\""),
        fixed(Type.TIME, 3661 * SECOND + 120_000, "\"01:01:01.12\""),
        fixed(Type.TIMESTAMP, -1, "\"1999-12-31T23:59:59.999999\""),
        fixed(Type.TIMESTAMP, Long.MIN_VALUE, "\"-infinity\""),
        fixed(Type.TIMESTAMP, -730_485 * DAY, "\"0001-01-01T00:00:00 BC\""),
        fixed(Type.TIMESTAMPTZ, DAY + SECOND, "\"2000-01-02T00:00:01+00:00\""),
        sliced(Type.DECIMAL, "-12345678901234567890.10", "-12345678901234567890.10"),
        sliced(Type.DECIMAL, "NaN", "\"NaN\""),
        sliced(Type.DECIMAL, "-Infinity", "\"-Infinity\""),
        sliced(Type.STRING, "a\"b\\c\u0001ä", "\"a\\\"b\\\\c\\u0001ä\""),
        sliced(Type.BYTES, "\u0000~", "\"\\\\x007e\""),
        sliced(Type.UUID, "0123456789abcdef", "\"30313233-3435-3637-3839-616263646566\""),
        sliced(Type.JSON, "{\"a\":\n [1.10, \"\\n\"]}", "{\"a\":  [1.10, \"\\n\"]}"));
  }

  private static Arguments fixed(Type type, long cell, String json) {
    return Arguments.of(type, cell, new byte[0], json);
  }

  private static Arguments sliced(Type type, String text, String json) {
    byte[] bytes = text.getBytes(UTF_8);
    return Arguments.of(type, Batch.slice(0, bytes.length), bytes, json);
  }

  @ParameterizedTest(name = "{0} {3}")
  @MethodSource("values")
  void writesEveryType(Type type, long cell, byte[] arena, String json) {
    Schema schema = new Schema(List.of(new Field("v", type)));
    assertThat(encode(schema, 1, arena, new long[] {cell}, null))
        .isEqualTo("{\"v\":" + json + "}\n");
  }

  @Test
  void leavesOutWhatIsAbsentAndWhatTellsAboutTheRow() {
    Schema schema =
        new Schema(
            List.of(
                new Field("message_id", Type.INT64, Field.Role.METADATA),
                new Field("k", Type.INT64, Field.Role.KEY),
                new Field("v", Type.STRING)));
    byte[] marks = {
      Batch.VALUE, Batch.VALUE, Batch.NULL,
      Batch.VALUE, Batch.ABSENT, Batch.VALUE,
      Batch.VALUE, Batch.ABSENT, Batch.ABSENT
    };
    long[] cells = {9, 1, 0, 9, 0, Batch.slice(0, 1), 9, 0, 0};
    assertThat(encode(schema, 3, new byte[] {'x'}, cells, marks))
        .isEqualTo("{\"k\":1,\"v\":null}\n{\"v\":\"x\"}\n{}\n");
  }

  @Test
  void escapesNames() {
    Schema schema =
        new Schema(
            List.of(
                new Field("a\"\\\n", Type.STRING),
                new Field("", Type.STRING),
                new Field("ein ziemlich langer Name: äöü", Type.STRING)));
    byte[] arena = "xyz".getBytes(UTF_8);
    long[] cells = {Batch.slice(0, 1), Batch.slice(1, 1), Batch.slice(2, 1)};
    String expected =
        "{\"a\\\"\\\\\\n\":\"x\",\"\":\"y\",\"ein ziemlich langer Name: äöü\":\"z\"}\n";
    assertThat(encode(schema, 1, arena, cells, null)).isEqualTo(expected);
    assertThat(encode(schema, 1, arena, cells, new byte[3])).isEqualTo(expected);
  }

  @Test
  void growsWithWhatItWrites() {
    Schema schema = new Schema(List.of(new Field("a", Type.STRING), new Field("b", Type.STRING)));
    byte[] arena = new byte[50_000];
    Arrays.fill(arena, (byte) 1);
    long[] cells = new long[200];
    List<Integer> lengths = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      int length = i % 50 == 7 ? 40_000 : i * 37 % 5000;
      cells[i] = Batch.slice(i, length);
      lengths.add(length);
    }
    String json = encode(schema, 100, arena, cells, null);
    List<List<Map.Entry<String, String>>> rows = JsonLines.read(json.getBytes(UTF_8));
    assertThat(rows.stream().flatMap(List::stream).map(entry -> entry.getValue().length()))
        .isEqualTo(lengths);
    assertThat(encode(schema, 100, arena, cells, new byte[200])).isEqualTo(json);
  }

  @Test
  void writesPayloadsAsTheyAre() {
    Schema schema = new Schema(List.of(new Field("payload", Type.BYTES)));
    byte[] arena = "{\"a\": 1}\0x".getBytes(UTF_8);
    long[] cells = {Batch.slice(0, 8), 0, Batch.slice(8, 2)};
    assertThat(encode(schema, 3, arena, cells, new byte[] {Batch.VALUE, Batch.NULL, Batch.VALUE}))
        .isEqualTo("{\"a\": 1}\n\n\0x\n");
  }

  /** Rows with metadata take the plain way, and say the same without it. */
  @Test
  void theFastWaysSayWhatThePlainOneSays() {
    for (int round = 0; round < 2000; round++) {
      Random random = Seed.round(round);
      int width = 1 + random.nextInt(5);
      List<Field> fields = new ArrayList<>();
      for (int f = 0; f < width; f++) {
        fields.add(new Field("f" + "x".repeat(random.nextInt(12)) + f, anyType(random)));
      }
      List<Field> withMetadata = new ArrayList<>(fields);
      withMetadata.add(new Field("m", Type.INT64, Field.Role.METADATA));
      int rows = random.nextInt(20);
      byte[] arena = new byte[200];
      for (int i = 0; i < arena.length; i++) {
        arena[i] = (byte) "ab\"\\\n1 z".charAt(random.nextInt(8));
      }
      byte[] json = "{\"a\": [1,\n2.50]}1234567".getBytes(UTF_8);
      System.arraycopy(json, 0, arena, 0, json.length);
      long[] cells = new long[rows * width];
      long[] more = new long[rows * (width + 1)];
      byte[] marks = new byte[rows * width];
      byte[] moreMarks = new byte[rows * (width + 1)];
      boolean nulls = random.nextBoolean();
      for (int i = 0; i < cells.length; i++) {
        cells[i] =
            switch (fields.get(i % width).type()) {
              case STRING -> Batch.slice(random.nextInt(150), random.nextInt(30));
              case JSON -> Batch.slice(0, 16);
              case DECIMAL -> Batch.slice(16, 1 + random.nextInt(7));
              case BOOL -> random.nextInt(2);
              default -> random.nextLong() >> random.nextInt(64);
            };
        marks[i] = nulls && random.nextInt(4) == 0 ? Batch.NULL : Batch.VALUE;
        int at = i / width * (width + 1) + i % width;
        more[at] = cells[i];
        moreMarks[at] = marks[i];
      }
      assertThat(encode(new Schema(fields), rows, arena, cells, nulls ? marks : null))
          .as(Seed.name(round))
          .isEqualTo(encode(new Schema(withMetadata), rows, arena, more, moreMarks));
    }
  }

  private static Type anyType(Random random) {
    List<Type> types =
        List.of(Type.STRING, Type.STRING, Type.JSON, Type.INT64, Type.BOOL, Type.DECIMAL);
    return types.get(random.nextInt(types.size()));
  }

  @Test
  void writesNothingForNoRows() {
    Schema schema = new Schema(List.of(new Field("a", Type.STRING)));
    assertThat(encode(schema, 0, new byte[0], new long[0], null)).isEmpty();
  }

  private static String encode(
      Schema schema, int rows, byte[] content, long[] cells, byte @Nullable [] marks) {
    HeapBuffers buffers = new HeapBuffers();
    byte[] arena = Arrays.copyOf(content, content.length + Batch.PADDING);
    Encoded encoded =
        Formats.encoder("jsonl", schema, buffers)
            .encode(new Batch(schema, rows, arena, cells, marks));
    EncodedBytes bytes = (EncodedBytes) encoded;
    assertThat(encoded.rows()).isEqualTo(rows);
    String text = new String(bytes.array(), 0, bytes.length(), UTF_8);
    encoded.release();
    assertThat(buffers.held()).isZero();
    return text;
  }
}
