package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvOutTest {

  private static final SinkFormat CSV = SinkFormat.of("csv");

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a|a",
        "a b|a b",
        "a,b|\"a,b\"",
        "5\" pipe|\"5\"\" pipe\"",
        "\"|\"\"\"\"",
        "``|\"\"",
        "\\.|\"\\.\"",
        "\\..|\\..",
        "eight...,|\"eight...,\"",
        "ninechars\"|\"ninechars\"\"\"",
        "# no comment|# no comment",
        "ä€😀|ä€😀",
      })
  void quotesOnlyWhereItMust(String text, String written) {
    assertThat(written(CSV, text("k", text, text)))
        .isEqualTo("k,k2\n" + written + "," + written + "\n");
  }

  @Test
  void quotesLineEnds() {
    assertThat(written(CSV, text("k", "a\nb", "a\rb"))).isEqualTo("k,k2\n\"a\nb\",\"a\rb\"\n");
  }

  @Test
  void nullIsNothingAndEmptyTextIsQuoted() {
    assertThat(written(CSV, text("k", null, ""))).isEqualTo("k,k2\n,\"\"\n");
    SinkFormat named =
        new SinkFormat("csv", ";", null, "NULL", SinkFormat.LineEnd.CRLF, null, null);
    assertThat(written(named, text("k", null, "NULL"))).isEqualTo("k;k2\r\nNULL;\"NULL\"\r\n");
  }

  @Test
  void aBlankStaysNothing() {
    Batch batch = text("k", "x", "y");
    batch.cells()[1] = 0;
    assertThat(written(CSV, batch)).isEqualTo("k,k2\nx,\n");
  }

  @Test
  void aRowOfOneNullIsNoEmptyLine() {
    Schema schema = new Schema(List.of(new Field("only", Type.STRING)));
    Batch batch =
        new Batch(schema, 1, new byte[Batch.PADDING], new long[1], new byte[] {Batch.NULL});
    assertThat(written(CSV, batch)).isEqualTo("only\n\"\"\n");
  }

  @Test
  void writesValuesOfEveryTypeAsText() {
    Schema schema =
        new Schema(
            List.of(
                new Field("i", Type.INT64),
                new Field("b", Type.BOOL),
                new Field("d", Type.DECIMAL),
                new Field("t", Type.TIMESTAMPTZ),
                new Field("bytes", Type.BYTES),
                new Field("doc", Type.JSON),
                new Field("js", Type.JSON),
                new Field("f", Type.FLOAT64)));
    byte[] arena = "NaN~{\"a\":[1, \"x\"]}\"q\\\"\\u00e4\"".getBytes(UTF_8);
    long[] cells = {
      -5,
      1,
      Batch.slice(0, 3),
      0,
      Batch.slice(3, 1),
      Batch.slice(4, 14),
      Batch.slice(18, 11),
      Double.doubleToRawLongBits(1.5)
    };
    Batch batch = new Batch(schema, 1, Arrays.copyOf(arena, 200), cells, null);
    assertThat(written(CSV, batch))
        .isEqualTo(
            """
            i,b,d,t,bytes,doc,js,f
            -5,true,NaN,2000-01-01T00:00:00+00:00,\\x7e,"{""a"":[1, ""x""]}","q""ä",1.5
            """);
  }

  @Test
  void goesOnUnderTheHeaderThatIsThere() {
    RowFormat format = Formats.rows(CSV, new HeapBuffers());
    format.goOn("k2,\"other, \"\"one\"\"\",k\nx,y,z\n".getBytes(UTF_8));
    assertThat(rows(format, text("k", "1", "2"))).isEqualTo("2,,1\n");
  }

  @Test
  void aColumnThatTheHeaderLacksIsRefusedUnlessItMayBeLeftOut() {
    byte[] header = "k\n".getBytes(UTF_8);
    RowFormat strict = Formats.rows(CSV, new HeapBuffers());
    strict.goOn(header);
    assertThatThrownBy(() -> rows(strict, text("k", "1", "2")))
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> {
              assertThat(e.problem().code()).isEqualTo(ErrorCode.UNKNOWN_FIELD);
              assertThat(e.problem().message()).contains("'k2'");
              assertThat(e.problem().suggestion()).contains("on_mismatch");
            });
    RowFormat byName =
        Formats.rows(
            new SinkFormat("csv", null, null, null, null, SinkFormat.OnMismatch.BY_NAME, null),
            new HeapBuffers());
    byName.goOn(header);
    assertThat(rows(byName, text("k", "1", "2"))).isEqualTo("1\n");
  }

  @Test
  void writesNoHeaderWhereNoneIsWanted() {
    SinkFormat bare = new SinkFormat("tsv", null, false, null, null, null, null);
    assertThat(written(bare, text("k", "a\tb", "c,d"))).isEqualTo("\"a\tb\"\tc,d\n");
  }

  /** What Commons CSV reads is what was written, and so is what we read. */
  @Test
  void anyTextComesBack() throws Exception {
    CSVFormat theirs =
        CSVFormat.POSTGRESQL_CSV.builder().setEscape(null).setRecordSeparator("\n").get();
    for (int round = 0; round < 20_000; round++) {
      Random random = Seed.round(round);
      List<@Nullable String> texts = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(random.nextBoolean() ? 4 : 30);
        for (int c = 0; c < length; c++) {
          text.append("ab,\"\n\r;\\. ä".charAt(random.nextInt(11)));
        }
        texts.add(random.nextInt(8) == 0 ? null : text.toString());
      }
      String csv = written(CSV, text("k", texts.get(0), texts.get(1)));
      CSVRecord record = theirs.parse(new StringReader(csv)).getRecords().get(1);
      assertThat(Arrays.asList(record.get(0), record.get(1))).as(Seed.name(round)).isEqualTo(texts);
      CsvFeed ours = CsvFeed.of(csv.getBytes(UTF_8), FormatOptions.of("csv"));
      assertThat(ours.rows)
          .as(Seed.name(round))
          .isEqualTo(List.of(texts.stream().map(text -> text == null ? "" : text).toList()));
    }
  }

  /** A row of two texts; a null one is null. */
  private static Batch text(String name, @Nullable String one, @Nullable String other) {
    Schema schema =
        new Schema(List.of(new Field(name, Type.STRING), new Field(name + "2", Type.STRING)));
    byte[] first = one == null ? new byte[0] : one.getBytes(UTF_8);
    byte[] second = other == null ? new byte[0] : other.getBytes(UTF_8);
    byte[] arena = new byte[1 + first.length + second.length + Batch.PADDING];
    System.arraycopy(first, 0, arena, 1, first.length);
    System.arraycopy(second, 0, arena, 1 + first.length, second.length);
    long[] cells = {Batch.slice(1, first.length), Batch.slice(1 + first.length, second.length)};
    byte[] marks = {
      one == null ? Batch.NULL : Batch.VALUE, other == null ? Batch.NULL : Batch.VALUE
    };
    return new Batch(schema, 1, arena, cells, one == null || other == null ? marks : null);
  }

  private static String written(SinkFormat sink, Batch batch) {
    RowFormat format = Formats.rows(sink, new HeapBuffers());
    return new String(format.head(batch.schema()), UTF_8) + rows(format, batch);
  }

  private static String rows(RowFormat format, Batch batch) {
    EncodedBytes bytes = (EncodedBytes) format.encoder(batch.schema()).encode(batch);
    return new String(bytes.array(), 0, bytes.length(), UTF_8);
  }
}
