package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.drover.spi.DroverException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases in {@code cases/csv}: NAME.csv must give NAME.expected.jsonl, or fail as NAME.error
 * says.
 */
final class CsvCasesTest {

  private static final Path CASES = Path.of("src/test/resources/cases/csv");
  private static final int EVERY_CUT_BYTES = 4096;
  private static final int CUTS = 257;
  private static final Pattern ALTERNATIVES = Pattern.compile("\\[([^]]*)]");
  private static final Pattern OPTION = Pattern.compile("\"(\\w+)\": *\"([^\"]*)\"");

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".csv"))
          .map(file -> file.substring(0, file.length() - ".csv".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  /** The reader that is used for it, and the other one: both give the same. */
  static Stream<Arguments> namesAndReaders() throws IOException {
    return names().flatMap(name -> Stream.of(Arguments.of(name, false), Arguments.of(name, true)));
  }

  @ParameterizedTest(name = "{0}, by Commons CSV: {1}")
  @MethodSource("namesAndReaders")
  void inOneRead(String name, boolean commons) {
    byte[] csv = bytes(name + ".csv");
    check(name, csv, commons, at -> csv.length);
  }

  @ParameterizedTest(name = "{0}, by Commons CSV: {1}")
  @MethodSource("namesAndReaders")
  void oneByteAtATime(String name, boolean commons) {
    byte[] csv = bytes(name + ".csv");
    assertThat(outcome(name, csv, commons, at -> at + 1))
        .isEqualTo(outcome(name, csv, commons, at -> Integer.MAX_VALUE));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void compressed(String name) throws IOException {
    byte[] csv = bytes(name + ".csv");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(csv);
    }
    ByteSource source = CsvCasesTest.source(packed.toByteArray(), at -> at + 1 + at % 7);
    Decompressor.Settings settings =
        new Decompressor.Settings(
            Compression.AUTO, name + ".csv", 0, Decompressor.Settings.MAX_WINDOW_BYTES);
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    try (Decompressor decompressor = new Decompressor(source, settings)) {
      byte[] buffer = new byte[1000];
      for (int read = 0; read >= 0; read = decompressor.read(buffer, 0, buffer.length)) {
        unpacked.write(buffer, 0, read);
      }
    }
    check(name, unpacked.toByteArray(), false, at -> at + 1000);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void inTwoReads(String name) {
    byte[] csv = bytes(name + ".csv");
    byte[] whole = outcome(name, csv, false, at -> Integer.MAX_VALUE);
    Random random = new Random(1);
    int cuts = csv.length <= EVERY_CUT_BYTES ? csv.length : CUTS;
    for (int i = 0; i < cuts; i++) {
      int cut = csv.length <= EVERY_CUT_BYTES ? i : random.nextInt(csv.length);
      assertThat(outcome(name, csv, false, at -> at < cut ? cut : Integer.MAX_VALUE))
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
  }

  private static void check(String name, byte[] csv, boolean commons, IntUnaryOperator reads) {
    CsvFeed feed = feed(name, commons);
    if (Files.exists(CASES.resolve(name + ".error"))) {
      assertThatThrownBy(() -> feed.read(utf8(name, csv, reads), reads))
          .isInstanceOf(DroverException.class)
          .satisfies(e -> assertMentions(told((DroverException) e), name));
      return;
    }
    feed.read(utf8(name, csv, reads), reads);
    List<List<Map.Entry<String, String>>> expected =
        JsonLines.read(bytes(name + ".expected.jsonl"));
    assertThat(JsonLines.read(feed.json.toByteArray())).isEqualTo(expected);
    assertThat(feed.rows)
        .isEqualTo(
            expected.stream().map(row -> row.stream().map(Map.Entry::getValue).toList()).toList());
    assertThat(feed.buffers.held()).isZero();
  }

  private static String told(DroverException e) {
    return e.getMessage() + " " + e.problem().suggestion();
  }

  private static CsvFeed feed(String name, boolean commons) {
    CsvFeed feed = new CsvFeed(options(name), false);
    return commons ? feed.by(CsvFeed.COMMONS) : feed;
  }

  /** The JSON, or the text of the error. */
  private static byte[] outcome(String name, byte[] csv, boolean commons, IntUnaryOperator reads) {
    CsvFeed feed = feed(name, commons).withoutRows();
    try {
      feed.read(utf8(name, csv, reads), reads);
      return feed.json.toByteArray();
    } catch (DroverException e) {
      return String.valueOf(e.getMessage()).getBytes(UTF_8);
    }
  }

  /** The bytes in UTF-8, read as they are to be read. */
  private static byte[] utf8(String name, byte[] csv, IntUnaryOperator reads) {
    Charset charset = Transcoder.charset(options(name).csv().encoding());
    if (charset == null) {
      return csv;
    }
    Transcoder transcoder = new Transcoder(source(csv, reads), charset);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[100];
    try {
      for (int read = 0; read >= 0; read = transcoder.read(buffer, 0, buffer.length)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static ByteSource source(byte[] bytes, IntUnaryOperator reads) {
    return new ByteSource() {
      private int at;

      @Override
      public int read(byte[] into, int from, int length) {
        if (at == bytes.length) {
          return -1;
        }
        int count = Math.min(Math.min(bytes.length, reads.applyAsInt(at)) - at, length);
        System.arraycopy(bytes, at, into, from, count);
        at += count;
        return count;
      }
    };
  }

  /** Each {@code [a|b]} of the file: one of the alternatives is in the message. */
  private static void assertMentions(String message, String name) {
    String lower = message.toLowerCase(Locale.ROOT);
    Matcher groups = ALTERNATIVES.matcher(new String(bytes(name + ".error"), UTF_8));
    while (groups.find()) {
      List<String> any = List.of(groups.group(1).toLowerCase(Locale.ROOT).split("\\|"));
      if (any.stream().noneMatch(lower::contains)) {
        fail("<%s> mentions none of %s", message, any);
      }
    }
  }

  private static FormatOptions options(String name) {
    FormatOptions defaults = FormatOptions.of("csv");
    @Nullable String delimiter = null;
    @Nullable String quote = null;
    @Nullable String encoding = null;
    if (Files.exists(CASES.resolve(name + ".options.json"))) {
      Matcher option = OPTION.matcher(new String(bytes(name + ".options.json"), UTF_8));
      while (option.find()) {
        switch (option.group(1)) {
          case "delimiter" -> delimiter = option.group(2);
          case "quote" -> quote = option.group(2);
          case "encoding" -> encoding = option.group(2);
          default -> throw new AssertionError("no such option: " + option.group());
        }
      }
    }
    CsvOptions csv =
        new CsvOptions(
            delimiter, quote, null, null, null, null, encoding, null, null, null, null, null);
    return new FormatOptions(
        "csv", csv, defaults.maxRecordBytes(), defaults.maxDepth(), defaults.maxBatchRows());
  }

  private static byte[] bytes(String file) {
    try {
      return Files.readAllBytes(CASES.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
