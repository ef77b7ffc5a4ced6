package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Places, limits and headers. */
final class CsvEdgesTest {

  @Test
  void namesFieldsOfAnOddHeader() {
    assertThat(read("a,a,,a_1,a,\n1,2,3,4,5,6\n").names())
        .containsExactly("a", "a_1", "column2", "a_1_1", "a_2", "column5");
  }

  @Test
  void readsAQuotedHeaderAfterBlankLines() {
    CsvFeed feed = read("\r\n\n\"a \"\"1\"\"\",\"b\nc\"\r\nx,y\r\n");
    assertThat(feed.names()).containsExactly("a \"1\"", "b\nc");
    assertThat(feed.rows).containsExactly(List.of("x", "y"));
    assertThat(feed.lines).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a,b\n", "a,b\r\n\r\n", "\ufeffa,b\n"})
  void showsTheSchemaOfAFileWithoutRows(String csv) {
    CsvFeed feed = read(csv);
    assertThat(feed.names()).containsExactly("a", "b");
    assertThat(feed.batches).isOne();
    assertThat(feed.rows).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n\r\n", "\ufeff", "\ufeff\n"})
  void hasNothingToShowOfAnEmptyFile(String csv) {
    CsvFeed feed = read(csv);
    assertThat(feed.batches).isZero();
    assertThat(feed.buffers.held()).isZero();
  }

  @Test
  void takesAMarkBeforeAQuotedName() {
    assertThat(read("\ufeff\"a,b\",c\n1,2\n").names()).containsExactly("a,b", "c");
  }

  @Test
  void keepsARowOfOneQuotedEmptyField() {
    assertThat(read("a\n\"\"\n\nx\n").rows).containsExactly(List.of(""), List.of("x"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      value = {
        "short row              !a,b\\n1,2\\n3\\n            !RAGGED_ROW      !2!3!0",
        "long row after breaks  !a,b\\n\"x\\ny\\r\\nz\",2\\n1,2,3\\n!RAGGED_ROW   !2!5!0",
        "text after quote       !a,b\\n1,\"ä\"x\\n          !BAD_QUOTING     !1!2!6",
        "text after quote, below!a,b\\n\"1\\n2\\n34\"x,\"\\n    !BAD_QUOTING     !1!4!4",
        "open quote             !a,b\\n1,2\\n3,\"x\\ny\\nz     !BAD_QUOTING     !2!3!3",
        "lone quote             !a\\n\"                     !BAD_QUOTING     !1!2!1",
        "open doubled quote     !a\\n\"\"\"                 !BAD_QUOTING     !1!2!1",
        "bad byte               !a,b\\n1,2\\n\\n\"ä\\nää\u00ff\",3\\n!INVALID_ENCODING!2!5!3",
        "bad byte after return  !a,b\\r1,2\\r3,\u00ff\\r   !INVALID_ENCODING!2!3!3",
      })
  void tellsThePlace(String name, String csv, ErrorCode code, long record, long line, int column) {
    byte[] bytes = bytes(csv.strip());
    CsvFeed feed = new CsvFeed(FormatOptions.of("csv"), true);
    feed.read(bytes, at -> at + 1);
    assertThat(feed.rejected).as(name).hasSize(1);
    RejectedRow row = feed.rejected.getFirst();
    assertThat(List.of(row.code(), row.record(), row.line(), row.column()))
        .as(name)
        .isEqualTo(List.of(code, record, line, column));
  }

  @Test
  void goesOnAfterARefusedRow() {
    CsvFeed feed = new CsvFeed(FormatOptions.of("csv"), true);
    byte[] csv = bytes("a,b\n1,2\n3\n4,\"5\"6\n\"x\ny\",\u00ff\n7,\u00e4\n8\n9,10\n");
    feed.read(csv, at -> csv.length);
    assertThat(feed.rows)
        .containsExactly(List.of("1", "2"), List.of("7", "\u00e4"), List.of("9", "10"));
    assertThat(feed.rejected.stream().map(RejectedRow::line)).containsExactly(3L, 4L, 6L, 8L);
    assertThat(feed.rejected.stream().map(RejectedRow::column)).containsExactly(0, 6, 4, 0);
    assertThat(feed.records).isEqualTo(7);
    assertThat(feed.lines).isEqualTo(9);
  }

  @Test
  void namesTheOptionThatHelpsWithEncodings() {
    assertThatThrownBy(() -> readBytes(bytes("a\n\u00ff\n")))
        .hasMessageContaining("0xff")
        .satisfies(
            e -> assertThat(((DroverException) e).problem().suggestion()).contains("`encoding`"));
    assertThatThrownBy(() -> readBytes(bytes("a,b\u00ff\n1,2\n")))
        .hasMessageContaining("line 1, column 4")
        .satisfies(
            e -> assertThat(((DroverException) e).problem().suggestion()).contains("`encoding`"));
  }

  @Test
  void refusesABrokenHeader() {
    assertThatThrownBy(() -> read("\n\"a\"b,c\n1,2\n"))
        .isInstanceOf(DroverException.class)
        .hasMessageContaining("line 2, column 4 (header)");
    assertThatThrownBy(() -> read("a,\"b\n1,2\n"))
        .hasMessageContaining("line 1, column 3 (header)")
        .hasMessageContaining("never closed");
  }

  @Test
  void limitsARecord() {
    FormatOptions options = new FormatOptions("csv", CsvOptions.DEFAULTS, 10, 1, 1024);
    CsvFeed fits = new CsvFeed(options, false);
    byte[] longest = bytes("a,b\r\n1234567,89\r\n\"34567\",89\r\n");
    fits.read(longest, at -> at + 1);
    assertThat(fits.rows).containsExactly(List.of("1234567", "89"), List.of("34567", "89"));

    CsvFeed whole = new CsvFeed(options, true);
    byte[] complete = bytes("a,b\n1,2\n12345678,90\n3,4\n");
    whole.read(complete, at -> complete.length);
    assertThat(whole.rows).containsExactly(List.of("1", "2"), List.of("3", "4"));
    assertThat(whole.rejected).hasSize(1);
    assertThat(whole.rejected.getFirst().code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
    assertThat(whole.rejected.getFirst().line()).isEqualTo(3);
  }

  @Test
  void endsWhenARecordHasNoEndWithinTheLimit() {
    FormatOptions options = new FormatOptions("csv", CsvOptions.DEFAULTS, 10, 1, 1024);
    CsvFeed feed = new CsvFeed(options, true);
    byte[] csv = bytes("a,b\n1,2\n3,\"x\nyyyyyyyyyyyyyyyyyyyyyyyyyyy\n1,2\n");
    assertThatThrownBy(() -> feed.read(csv, at -> at + 1))
        .isInstanceOf(DroverException.class)
        .hasMessageContaining("`max_record_bytes` (10)")
        .hasMessageContaining("a quote opens here");
    assertThat(feed.rows).containsExactly(List.of("1", "2"));
    assertThat(feed.rejected.getFirst().line()).isEqualTo(3);
    assertThat(feed.rejected.getFirst().column()).isEqualTo(3);

    assertThatThrownBy(
            () -> new CsvFeed(options, true).read(bytes("\naaaaaaaaaaaaaaaaaaaa"), at -> at + 1))
        .hasMessageContaining("line 2: the header is longer than `max_record_bytes` (10)");
  }

  @Test
  void keepsBatchesSmall() {
    CsvFeed feed = new CsvFeed(new FormatOptions("csv", CsvOptions.DEFAULTS, 1 << 20, 1, 3), false);
    byte[] csv = bytes("a\n" + "x\n".repeat(10));
    feed.read(csv, at -> csv.length);
    assertThat(feed.rows).hasSize(10);
    assertThat(feed.batches).isEqualTo(4);
    assertThat(feed.largestBatch).isEqualTo(3);

    String wide = IntStream.range(0, 3000).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
    CsvFeed wider = read(wide + "\n" + (wide + "\n").repeat(100));
    assertThat(wider.rows).hasSize(100);
    assertThat(wider.largestBatch * 3000).isLessThanOrEqualTo(1 << 17);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {"a;b!;", "a|b!|", "a\\tb!\\t"})
  void warnsOfAnotherDelimiter(String header, String suggested) {
    List<Problem> warnings = read(header.replace("\\t", "\t") + "\n1\n").warnings;
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst().path()).isEqualTo("/delimiter");
    assertThat(warnings.getFirst().suggestion()).contains("\"" + suggested + "\"");
  }

  @Test
  void doesNotWarnOfWhatIsFine() {
    assertThat(read("a\n1\n").warnings).isEmpty();
    assertThat(read("a;b,c\n1,2\n").warnings).isEmpty();
  }

  @Test
  void undoublesAnotherQuoteAndLeavesTheUsualOne() {
    CsvFeed feed =
        new CsvFeed(new FormatOptions("csv", CsvOptions.of(null, "'"), 1 << 20, 1, 9), false);
    byte[] csv = bytes("a,b\n'it''s \"\"','x\n,'\n");
    feed.read(csv, at -> csv.length);
    assertThat(feed.rows).containsExactly(List.of("it's \"\"", "x\n,"));
    assertThat(new String(feed.json.toByteArray(), UTF_8))
        .isEqualTo("{\"a\":\"it's \\\"\\\"\",\"b\":\"x\\n,\"}\n");
  }

  private static CsvFeed read(String csv) {
    return readBytes(csv.getBytes(UTF_8));
  }

  private static CsvFeed readBytes(byte[] csv) {
    return CsvFeed.of(csv, FormatOptions.of("csv"));
  }

  /** UTF-8, but for U+00FF, which stands for the byte 0xff; \n and \r are written out. */
  private static byte[] bytes(String text) {
    String lines = text.replace("\\n", "\n").replace("\\r", "\r");
    String raw =
        lines
            .codePoints()
            .mapToObj(
                c ->
                    c == 0xff
                        ? "\u00ff"
                        : new String(Character.toString(c).getBytes(UTF_8), ISO_8859_1))
            .collect(Collectors.joining());
    return raw.getBytes(ISO_8859_1);
  }
}
