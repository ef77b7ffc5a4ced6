package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.DroverException;
import dev.drover.spi.RejectedRow;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Going on in the middle, and refused rows as they stood in the file. */
final class CsvResumeTest {

  private static final int ROUNDS = 400;

  private static byte[] random(Random random) {
    StringBuilder csv = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
    csv.append("\n".repeat(random.nextInt(3)));
    String lineEnd = List.of("\n", "\r\n", "\r").get(random.nextInt(3));
    csv.append("a,\"b").append(random.nextBoolean() ? lineEnd : "").append("\"").append(lineEnd);
    for (int i = random.nextInt(40); i > 0; i--) {
      csv.append(i).append(",\"").append("ä\"\"".repeat(random.nextInt(9)));
      csv.append(random.nextBoolean() ? lineEnd : "").append('"').append(lineEnd);
    }
    return csv.toString().getBytes(UTF_8);
  }

  @Test
  void goesOnAtEveryBorder() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      byte[] csv = random(random);
      int step = 1 + random.nextInt(60);
      CsvFeed whole = new CsvFeed(FormatOptions.of("csv"), false);
      whole.read(csv, at -> at + step);
      for (int border : whole.borders) {
        CsvFeed before = new CsvFeed(FormatOptions.of("csv"), false);
        before.read(Arrays.copyOf(csv, border), at -> at + step);
        if (before.schema == null) {
          // Nothing but blank lines: who goes on there reads the header where it is.
          continue;
        }
        CsvFeed rest = new CsvFeed(FormatOptions.of("csv"), false);
        rest.readFrom(csv, border, at -> at + step);
        assertThat(rest.names()).isEqualTo(border == csv.length ? List.of() : whole.names());
        assertThat(rest.rows).isEqualTo(whole.rows.subList(before.rows.size(), whole.rows.size()));
        assertThat(rest.buffers.held()).as("held").isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\r\n", "\ufeff"})
  void findsNoHeaderWhereThereIsNone(String csv) {
    CsvFeed feed = new CsvFeed(FormatOptions.of("csv"), false);
    feed.readFrom(csv.getBytes(UTF_8), csv.getBytes(UTF_8).length, at -> at + 1);
    assertThat(feed.schema).isNull();
  }

  @Test
  void tellsABrokenHeader() {
    CsvFeed feed = new CsvFeed(FormatOptions.of("csv"), false);
    assertThatThrownBy(() -> feed.readFrom("a,\"b\"c\n1,2\n".getBytes(UTF_8), 8, at -> at + 5))
        .isInstanceOf(DroverException.class)
        .hasMessageContaining("header");
  }

  private static List<String> refused(String csv, String quote) {
    FormatOptions options = new FormatOptions("csv", CsvOptions.of(null, quote), 1000, 1, 100);
    CsvFeed feed = new CsvFeed(options, true);
    byte[] bytes = csv.getBytes(UTF_8);
    feed.read(bytes, at -> bytes.length);
    return feed.rejected.stream().map(CsvResumeTest::text).toList();
  }

  private static String text(RejectedRow row) {
    ByteBuffer bytes = Objects.requireNonNull(row.row());
    return UTF_8.decode(bytes.duplicate()).toString();
  }

  @Test
  void refusedRowsAreAsTheyWereRead() {
    assertThat(refused("a,b\r\n1\r\n2,3\r\n4,\"5\"x\r\n\"6\n7\",8,9\r10,\"11", "\""))
        .containsExactly("1", "4,\"5\"x", "\"6\n7\",8,9", "10,\"11");
    assertThat(refused("a,b\n1,'2''3','4''4',''''\n'5''''\n',''''''\n'x''y'\n", "'"))
        .containsExactly("1,'2''3','4''4',''''", "'x''y'");
  }

  @Test
  void aRowOverTheLimitIsKeptIfItIsWhole() {
    String large = "1," + "x".repeat(2000);
    assertThat(refused("a,b\n" + large + "\n2,3\n", "\"")).containsExactly(large);
  }
}
