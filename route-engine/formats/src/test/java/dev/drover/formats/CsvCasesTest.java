package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.drover.spi.DroverException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
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

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void inOneRead(String name) {
    byte[] csv = bytes(name + ".csv");
    check(name, csv, at -> csv.length);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void oneByteAtATime(String name) {
    byte[] csv = bytes(name + ".csv");
    assertThat(outcome(name, csv, at -> at + 1)).isEqualTo(outcome(name, csv, at -> csv.length));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void inTwoReads(String name) {
    byte[] csv = bytes(name + ".csv");
    byte[] whole = outcome(name, csv, at -> csv.length);
    Random random = new Random(1);
    int cuts = csv.length <= EVERY_CUT_BYTES ? csv.length : CUTS;
    for (int i = 0; i < cuts; i++) {
      int cut = csv.length <= EVERY_CUT_BYTES ? i : random.nextInt(csv.length);
      assertThat(outcome(name, csv, at -> at < cut ? cut : csv.length))
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
  }

  private static void check(String name, byte[] csv, IntUnaryOperator reads) {
    CsvFeed feed = new CsvFeed(options(name), false);
    if (Files.exists(CASES.resolve(name + ".error"))) {
      assertThatThrownBy(() -> feed.read(csv, reads))
          .isInstanceOf(DroverException.class)
          .satisfies(e -> assertMentions(String.valueOf(e.getMessage()), name));
      return;
    }
    feed.read(csv, reads);
    List<List<Map.Entry<String, String>>> expected =
        JsonLines.read(bytes(name + ".expected.jsonl"));
    assertThat(JsonLines.read(feed.json.toByteArray())).isEqualTo(expected);
    assertThat(feed.rows)
        .isEqualTo(
            expected.stream().map(row -> row.stream().map(Map.Entry::getValue).toList()).toList());
    assertThat(feed.buffers.held()).isZero();
  }

  /** The JSON, or the text of the error. */
  private static byte[] outcome(String name, byte[] csv, IntUnaryOperator reads) {
    CsvFeed feed = new CsvFeed(options(name), false).withoutRows();
    try {
      feed.read(csv, reads);
      return feed.json.toByteArray();
    } catch (DroverException e) {
      return String.valueOf(e.getMessage()).getBytes(UTF_8);
    }
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
    if (Files.exists(CASES.resolve(name + ".options.json"))) {
      Matcher option = OPTION.matcher(new String(bytes(name + ".options.json"), UTF_8));
      while (option.find()) {
        switch (option.group(1)) {
          case "delimiter" -> delimiter = option.group(2);
          case "quote" -> quote = option.group(2);
          default -> throw new AssertionError("no such option: " + option.group());
        }
      }
    }
    return new FormatOptions(
        "csv",
        delimiter,
        quote,
        defaults.maxRecordBytes(),
        defaults.maxDepth(),
        defaults.maxBatchRows());
  }

  private static byte[] bytes(String file) {
    try {
      return Files.readAllBytes(CASES.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
