package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.spi.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;

/** Random files: the reader against its plain twin, and against Commons CSV. */
final class CsvReaderTest {

  private static final int ROUNDS = 4000;

  /** Small files, a third of whose fields are in quotes, many with line ends in them. */
  private static final int TABLES = 100_000;

  private static final int LONG_TABLES = 500;

  private static final List<String> PIECES =
      List.of(
          "a",
          "bc",
          "def ghi",
          " ",
          "'",
          "\\",
          "\\\\",
          "\t",
          "\u0001",
          "ä",
          "漢",
          "🦜",
          "\u2028",
          "0123456789",
          "null");

  private static final List<String> LINE_ENDS = List.of("\n", "\r\n", "\r");

  @Test
  void takesRubbishAsThePlainOneDoes() {
    byte[] alphabet = "aaab\"\"\",,,\n\n\r\u00c3\u00a4\u00ff".getBytes(ISO_8859_1);
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      byte[] some = Seed.bytes(random, random.nextInt(400), alphabet);
      byte[] header = "x,y\n".getBytes(ISO_8859_1);
      byte[] csv = new byte[header.length + some.length];
      System.arraycopy(header, 0, csv, 0, header.length);
      System.arraycopy(some, 0, csv, header.length, some.length);

      List<List<String>> rows = new ArrayList<>();
      List<String> refused = new ArrayList<>();
      List<PlainCsv.Row> all = new PlainCsv(csv, ',', '"').rows();
      for (PlainCsv.Row row : all.subList(1, all.size())) {
        if (row.malformed()) {
          refused.add(ErrorCode.BAD_QUOTING.name());
        } else if (!row.utf8()) {
          refused.add(ErrorCode.INVALID_ENCODING.name());
        } else if (row.fields().size() != 2) {
          refused.add(ErrorCode.RAGGED_ROW + " on line " + row.line());
        } else {
          rows.add(row.texts());
        }
      }

      CsvFeed feed = new CsvFeed(FormatOptions.of("csv"), true);
      feed.read(csv, reads(random, csv.length));
      assertThat(feed.rows).as(Seed.name(round)).isEqualTo(rows);
      assertThat(
              feed.rejected.stream()
                  .map(
                      r ->
                          r.code() == ErrorCode.RAGGED_ROW
                              ? r.code() + " on line " + r.line()
                              : r.code().name()))
          .as(Seed.name(round))
          .isEqualTo(refused);
      assertThat(feed.buffers.held()).isZero();
    }
  }

  @Test
  void readsTablesAsCommonsCsvDoes() throws IOException {
    for (int round = 0; round < TABLES; round++) {
      Random random = Seed.round(round);
      char delimiter = ",;\t|".charAt(random.nextInt(4));
      String csv = table(random, delimiter, random.nextInt(8));
      check(round, random, csv, delimiter, 16 + random.nextInt(500));
    }
  }

  @Test
  void readsTablesOfManyChunksAsCommonsCsvDoes() throws IOException {
    for (int round = 0; round < LONG_TABLES; round++) {
      Random random = Seed.round(round);
      String csv = table(random, ',', 300);
      check(round, random, csv, ',', csv.length() / (4 + random.nextInt(20)));
    }
  }

  private static void check(int round, Random random, String csv, char delimiter, int largestRead)
      throws IOException {
    CsvOptions dialect = CsvOptions.of(Character.toString(delimiter), null);
    FormatOptions options = new FormatOptions("csv", dialect, 1 << 20, 1, 1 + random.nextInt(9));
    CsvFeed feed = new CsvFeed(options, false);
    byte[] bytes = csv.getBytes(UTF_8);
    feed.read(bytes, at -> at + 1 + random.nextInt(largestRead));

    List<List<String>> expected = commons(csv, delimiter);
    assertThat(feed.names()).as(Seed.name(round)).isEqualTo(expected.getFirst());
    assertThat(feed.rows).as(Seed.name(round)).isEqualTo(expected.subList(1, expected.size()));
    if (round % 10 == 0) {
      assertThat(JsonLines.read(feed.json.toByteArray()))
          .as(Seed.name(round))
          .isEqualTo(objects(expected));
    }
    assertThat(feed.records).as(Seed.name(round)).isEqualTo(expected.size() - 1);
    assertThat(feed.buffers.held()).isZero();
  }

  private static IntUnaryOperator reads(Random random, int length) {
    int largest = 1 + random.nextInt(length + 1);
    return at -> at + 1 + random.nextInt(largest);
  }

  private static List<List<String>> commons(String csv, char delimiter) throws IOException {
    CSVFormat format =
        CSVFormat.RFC4180.builder().setDelimiter(delimiter).setIgnoreEmptyLines(true).get();
    try (CSVParser parser = CSVParser.parse(csv, format)) {
      return parser.stream().map(CSVRecord::toList).toList();
    }
  }

  private static List<List<Map.Entry<String, String>>> objects(List<List<String>> table) {
    List<String> names = table.getFirst();
    List<List<Map.Entry<String, String>>> objects = new ArrayList<>();
    for (List<String> row : table.subList(1, table.size())) {
      List<Map.Entry<String, String>> object = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        object.add(Map.entry(names.get(i), row.get(i)));
      }
      objects.add(object);
    }
    return objects;
  }

  private static String table(Random random, char delimiter, int rows) {
    StringBuilder csv = new StringBuilder();
    int columns = 1 + random.nextInt(6);
    String lineEnd = LINE_ENDS.get(random.nextInt(3));
    for (int row = 0; row <= rows; row++) {
      for (int column = 0; column < columns; column++) {
        csv.append(column == 0 ? "" : delimiter);
        csv.append(row == 0 ? "name " + column : value(random, delimiter, columns));
      }
      boolean last = row == rows;
      if (!last || random.nextBoolean()) {
        csv.append(random.nextInt(8) == 0 ? LINE_ENDS.get(random.nextInt(3)) : lineEnd);
        csv.append(random.nextInt(8) == 0 ? lineEnd : "");
      }
    }
    return csv.toString();
  }

  private static String value(Random random, char delimiter, int columns) {
    StringBuilder value = new StringBuilder();
    boolean quoted = random.nextInt(3) == 0;
    int pieces = random.nextInt(20) == 0 ? random.nextInt(60) : random.nextInt(4);
    for (int i = 0; i < pieces; i++) {
      String piece = PIECES.get(random.nextInt(PIECES.size()));
      value.append(piece.equals("\t") && delimiter == '\t' && !quoted ? "-" : piece);
      if (quoted && random.nextInt(3) == 0) {
        value.append(
            List.of("\"\"", ",", ";", "\n", "\r\n", "\r", "\"\"\"\"").get(random.nextInt(7)));
      } else if (!quoted && random.nextInt(8) == 0) {
        value.append('"');
      }
    }
    if (quoted) {
      return "\"" + value + "\"";
    }
    // A row of one empty field would be a blank line, which both skip.
    return value.isEmpty() && columns == 1 ? "x" : value.toString();
  }
}
