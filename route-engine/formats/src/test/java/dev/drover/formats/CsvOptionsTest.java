package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.formats.CsvOptions.OnRagged;
import dev.drover.spi.Batch;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each option of CSV, read by the fast reader where it can and by Commons CSV always. */
class CsvOptionsTest {

  private static final String NULL = CsvFeed.NULL;

  private static Arguments of(
      String what, Map<String, Object> options, String csv, List<String> names, String... rows) {
    List<List<String>> expected =
        Stream.of(rows).map(row -> List.of(row.split("\\|", -1))).toList();
    return Arguments.of(what, options(options), csv, names, expected);
  }

  @SuppressWarnings("unchecked")
  private static FormatOptions options(Map<String, Object> of) {
    CsvOptions csv =
        new CsvOptions(
            (String) of.get("delimiter"),
            (String) of.get("quote"),
            (String) of.get("escape"),
            (String) of.get("comment"),
            (Boolean) of.get("header"),
            (List<String>) of.get("columns"),
            (String) of.get("encoding"),
            (Integer) of.get("skip_rows"),
            (String) of.get("null_text"),
            (Boolean) of.get("trim"),
            (OnRagged) of.get("on_ragged"),
            (Integer) of.get("max_field_bytes"));
    FormatOptions defaults = FormatOptions.of("csv");
    return new FormatOptions("csv", csv, defaults.maxRecordBytes(), 1, 2);
  }

  static Stream<Arguments> files() {
    List<String> ab = List.of("a", "b");
    return Stream.of(
        of("auto: semicolons", Map.of("delimiter", "auto"), "a;b\n1,5;2\n", ab, "1,5|2"),
        of("auto: tabs", Map.of("delimiter", "auto"), "a\tb\n1\t2\n", ab, "1|2"),
        of(
            "auto: quoted ones",
            Map.of("delimiter", "auto"),
            "\"a;;\"|b\n1|2",
            List.of("a;;", "b"),
            "1|2"),
        of("auto: one column", Map.of("delimiter", "auto"), "a\n1;2\n", List.of("a"), "1;2"),
        of("quote none", Map.of("quote", "none"), "a,b\n\"1,2\"\n", ab, "\"1|2\""),
        of("quote none, the rest", Map.of("quote", "none"), "a,b\n\",\0\n", ab, "\"|\0"),
        of("escape", Map.of("escape", "\\"), "a,b\n\"x \\\"y\\\"\",z\\,\n", ab, "x \"y\"|z,"),
        of(
            "escaped line end",
            Map.of("escape", "\\"),
            "a,b\n\"1\\\n2\",3\n4,5\n",
            ab,
            "1\n2|3",
            "4|5"),
        of("comment", Map.of("comment", "#"), "#x,y\na,b\n# \"\n1,2\n#\n3,#4\n", ab, "1|2", "3|#4"),
        of(
            "no header",
            Map.of("header", false),
            "1,2\n3,4\n",
            List.of("column0", "column1"),
            "1|2",
            "3|4"),
        of("columns", Map.of("header", false, "columns", ab), "1,2\n", ab, "1|2"),
        of("columns for a header", Map.of("columns", ab), "x,y\n1,2\n", ab, "1|2"),
        of("skip rows", Map.of("skip_rows", 2), "A \"title\n\na,b\n1,2\n", ab, "1|2"),
        of("skip rows to the end", Map.of("skip_rows", 9), "a,b\n1,2\n", List.of()),
        of("skip CR LF", Map.of("skip_rows", 1), "title\r\na,b\r\n1,2\r\n", ab, "1|2"),
        of(
            "null text",
            Map.of("null_text", "NA"),
            "a,b\nNA,\"NA\"\nNAN,na\n",
            ab,
            NULL + "|NA",
            "NAN|na"),
        of(
            "null text empty",
            Map.of("null_text", ""),
            "a,b\n,\"\"\n1,\n",
            ab,
            NULL + "|",
            "1|" + NULL),
        of("trim", Map.of("trim", true), "a, b \n 1 , \"2, \" \n", ab, "1|2, "),
        of("pad", Map.of("on_ragged", OnRagged.PAD), "a,b\n1\n2,3\n", ab, "1|", "2|3"),
        of(
            "fit",
            Map.of("on_ragged", OnRagged.FIT),
            "a,b\n1\n2,3,4\n5,6\n",
            ab,
            "1|",
            "2|3",
            "5|6"),
        of("long enough", Map.of("max_field_bytes", 3), "a,b\n123,\"456\"\n", ab, "123|456"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void areReadAsTheySay(
      String what, FormatOptions options, String csv, List<String> names, List<List<String>> rows) {
    for (CsvFeed.Maker maker : List.<CsvFeed.Maker>of(Formats::reader, CsvFeed.COMMONS)) {
      for (int step : new int[] {1, 2, 1000}) {
        CsvFeed feed = new CsvFeed(options, false).by(maker);
        feed.read(csv.getBytes(UTF_8), at -> at + step);
        assertThat(feed.names()).isEqualTo(names);
        assertThat(feed.rows).isEqualTo(rows);
        assertThat(feed.buffers.held()).isZero();
      }
    }
  }

  @Test
  void whichReaderRan() {
    HeapBuffers buffers = new HeapBuffers();
    for (Map<String, Object> unusual :
        List.<Map<String, Object>>of(
            Map.of("escape", "\\"), Map.of("comment", "#"), Map.of("trim", true))) {
      assertThat(Formats.reader(options(unusual), buffers, warning -> {}))
          .isInstanceOf(CommonsCsvReader.class);
    }
    for (Map<String, Object> usual :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("delimiter", "auto", "quote", "none"),
            Map.of("null_text", "", "skip_rows", 1, "header", false),
            Map.of("on_ragged", OnRagged.FIT, "max_field_bytes", 1))) {
      assertThat(Formats.reader(options(usual), buffers, warning -> {}))
          .isInstanceOf(CsvRecordReader.class);
    }
  }

  @Test
  void whatIsRepairedIsTold() {
    for (CsvFeed.Maker maker : List.<CsvFeed.Maker>of(Formats::reader, CsvFeed.COMMONS)) {
      CsvFeed feed = new CsvFeed(options(Map.of("on_ragged", OnRagged.PAD)), true).by(maker);
      String csv = "a,b\n1\n2,\"3\n4\"\n5\n6,7,8\n";
      feed.read(csv.getBytes(UTF_8), at -> at + 3);
      assertThat(feed.repaired).containsExactly(2L, 5L);
      assertThat(feed.rejected)
          .singleElement()
          .satisfies(row -> assertThat(row.line()).isEqualTo(6));
    }
  }

  @Test
  void blanksAreToldFromEmptyTexts() {
    for (CsvFeed.Maker maker : List.<CsvFeed.Maker>of(Formats::reader, CsvFeed.COMMONS)) {
      HeapBuffers buffers = new HeapBuffers();
      RecordReader reader = maker.reader(options(Map.of()), buffers, warning -> {});
      byte[] csv = "a,b\n,\"\"\n".getBytes(UTF_8);
      byte[] block = buffers.bytes(csv.length + Batch.PADDING);
      System.arraycopy(csv, 0, block, 0, csv.length);
      reader.cut(block, csv.length, true);
      long[] cells = new long[2];
      reader
          .take()
          .decode(
              new Decoded() {
                @Override
                public void batch(Batch batch) {
                  System.arraycopy(batch.cells(), 0, cells, 0, 2);
                }

                @Override
                public void reject(RejectedRow row) {
                  throw new AssertionError(row);
                }

                @Override
                public void advanced(long records, long lines) {
                  assertThat(lines).isEqualTo(2);
                }
              });
      assertThat(cells[0]).isEqualTo(Batch.BLANK);
      assertThat(cells[1]).isNotEqualTo(Batch.BLANK);
      assertThat(Batch.length(cells[1])).isZero();
    }
  }

  @Test
  void aFieldThatIsTooLongIsRefused() {
    for (CsvFeed.Maker maker : List.<CsvFeed.Maker>of(Formats::reader, CsvFeed.COMMONS)) {
      CsvFeed feed = new CsvFeed(options(Map.of("max_field_bytes", 3)), true).by(maker);
      feed.read("a,b\n1,1234\n1,\"1234\"\n123,1\n".getBytes(UTF_8), at -> 1000);
      assertThat(feed.rejected)
          .allSatisfy(
              row -> {
                assertThat(row.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
                assertThat(row.message()).contains("'b'").contains("`max_field_bytes` (3)");
              })
          .hasSize(2);
      assertThat(feed.rows).containsExactly(List.of("123", "1"));
    }
  }

  @Test
  void columnsMustBeAsManyAsInTheHeader() {
    CsvFeed feed = new CsvFeed(options(Map.of("columns", List.of("x"))), false);
    assertThatThrownBy(() -> feed.read("a,b\n1,2\n".getBytes(UTF_8), at -> 1000))
        .hasMessageContaining("there are 2 columns, and `columns` names 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "windows-1252", "ISO-8859-15", "UTF-32"})
  void transcodesWhateverTheReadsAre(String name) throws IOException {
    Charset charset = Charset.forName(name);
    for (int round = 0; round < 200; round++) {
      Random random = Seed.round(round);
      StringBuilder text = new StringBuilder();
      boolean wide = name.startsWith("UTF");
      for (int i = random.nextInt(300); i > 0; i--) {
        text.append(
            List.of("a", "é", "\n", wide ? "😀" : "x", wide ? "漢" : "ü").get(random.nextInt(5)));
      }
      byte[] bytes = text.toString().getBytes(charset);
      int[] at = {0};
      ByteSource source =
          (into, from, length) -> {
            if (at[0] == bytes.length) {
              return -1;
            }
            int count = Math.min(length, Math.min(1 + random.nextInt(7), bytes.length - at[0]));
            System.arraycopy(bytes, at[0], into, from, count);
            at[0] += count;
            return count;
          };
      assertThat(all(new Transcoder(source, charset), 1 + random.nextInt(9)))
          .as(Seed.name(round))
          .isEqualTo(text.toString());
    }
  }

  private static String all(Transcoder transcoder, int size) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[size];
    for (int read = 0; read >= 0; read = transcoder.read(buffer, 0, size)) {
      out.write(buffer, 0, read);
    }
    return out.toString(UTF_8);
  }

  @Test
  void whatIsMalformedHasAPlace() {
    byte[] bytes = "ok\nfine\nab?".getBytes(StandardCharsets.US_ASCII);
    bytes[10] = (byte) 0x81;
    ByteSource source =
        new ByteSource() {
          private boolean given;

          @Override
          public int read(byte[] into, int from, int length) {
            if (given) {
              return -1;
            }
            given = true;
            System.arraycopy(bytes, 0, into, from, bytes.length);
            return bytes.length;
          }
        };
    assertThatThrownBy(() -> all(new Transcoder(source, Charset.forName("windows-1252")), 100))
        .isInstanceOf(DroverException.class)
        .hasMessageContaining("line 3, column 3: what stands here is no windows-1252");
  }

  @ParameterizedTest
  @ValueSource(strings = {"delimiter", "quote", "escape", "comment"})
  void charactersMustBeCharacters(String option) {
    for (String value : List.of("", "ab", "\n", "ä")) {
      assertThatThrownBy(() -> Formats.check(options(Map.of(option, value))))
          .isInstanceOf(DroverException.class)
          .satisfies(
              e -> assertThat(((DroverException) e).problem().path()).isEqualTo("/" + option));
    }
  }

  @Test
  void anUnknownEncodingIsRefused() {
    assertThatThrownBy(() -> Formats.check(options(Map.of("encoding", "utf-7½"))))
        .hasMessageContaining("there is no encoding `utf-7½`");
  }

  @Test
  void optionsOfCsvAreRefusedElsewhere() {
    FormatOptions json = new FormatOptions("jsonl", CsvOptions.of(null, "'"), 100, 1, 1);
    assertThatThrownBy(() -> Formats.check(json)).hasMessageContaining("`jsonl` has no quote");
  }
}
