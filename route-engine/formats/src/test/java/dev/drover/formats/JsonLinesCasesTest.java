package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.drover.spi.DroverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cases in {@code cases/jsonl}: NAME.jsonl must give NAME.expected.jsonl, or fail as NAME.error
 * says.
 */
final class JsonLinesCasesTest {

  private static final Path CASES = Path.of("src/test/resources/cases/jsonl");
  private static final int EVERY_CUT_BYTES = 4096;
  private static final int CUTS = 257;
  private static final Pattern ALTERNATIVES = Pattern.compile("\\[([^]]*)]");

  /** Their notes say that numbers are compared by value. */
  private static final Set<String> BY_VALUE = Set.of("exponents", "negative_zero");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNumberLength(1 << 20)
                          .maxNestingDepth(5000)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".jsonl") && !file.endsWith(".expected.jsonl"))
          .map(file -> file.substring(0, file.length() - ".jsonl".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static byte[] bytes(String file) throws IOException {
    return Files.readAllBytes(CASES.resolve(file));
  }

  private static CsvFeed feed() {
    return new CsvFeed(FormatOptions.of("jsonl"), false).withoutRows();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void inOneRead(String name) throws IOException {
    byte[] json = bytes(name + ".jsonl");
    CsvFeed feed = feed();
    if (Files.exists(CASES.resolve(name + ".error"))) {
      assertThatThrownBy(() -> feed.read(json, at -> json.length))
          .isInstanceOf(DroverException.class)
          .satisfies(e -> assertMentions(String.valueOf(e.getMessage()), name));
      return;
    }
    feed.read(json, at -> json.length);
    List<String> expected = lines(bytes(name + ".expected.jsonl"));
    List<String> found = lines(feed.json.toByteArray());
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      JsonNode wanted = MAPPER.readTree(expected.get(i));
      assertThat(equal(MAPPER.readTree(found.get(i)), wanted, BY_VALUE.contains(name)))
          .as("%s and %s", found.get(i), expected.get(i))
          .isTrue();
    }
    assertThat(feed.buffers.held()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void oneByteAtATime(String name) throws IOException {
    byte[] json = bytes(name + ".jsonl");
    assertThat(outcome(json, at -> at + 1)).isEqualTo(outcome(json, at -> json.length));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void inTwoReads(String name) throws IOException {
    byte[] json = bytes(name + ".jsonl");
    byte[] whole = outcome(json, at -> json.length);
    Random random = new Random(1);
    int cuts = json.length <= EVERY_CUT_BYTES ? json.length : CUTS;
    for (int i = 0; i < cuts; i++) {
      int cut = json.length <= EVERY_CUT_BYTES ? i : random.nextInt(json.length);
      assertThat(outcome(json, at -> at < cut ? cut : json.length))
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
  }

  /**
   * The rows, or the text of the error. As nodes: how batches fall decides the order of keys that
   * some rows lack.
   */
  private static byte[] outcome(byte[] json, IntUnaryOperator reads) {
    CsvFeed feed = feed();
    try {
      feed.read(json, reads);
    } catch (DroverException e) {
      return String.valueOf(e.getMessage()).getBytes(UTF_8);
    }
    StringBuilder sorted = new StringBuilder();
    for (String line : lines(feed.json.toByteArray())) {
      JsonNode node = MAPPER.readTree(line);
      List<String> fields = new ArrayList<>();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        fields.add(field.getKey() + "=" + field.getValue());
      }
      fields.sort(null);
      sorted.append(fields).append('\n');
    }
    return sorted.toString().getBytes(UTF_8);
  }

  /** Not at anything but line feeds: values hold other line ends. */
  private static List<String> lines(byte[] text) {
    List<String> lines = new ArrayList<>();
    for (String line : new String(text, UTF_8).split("\n", -1)) {
      if (!line.isEmpty()) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static boolean equal(JsonNode a, JsonNode b, boolean byValue) {
    if (a.isNumber() && b.isNumber()) {
      boolean sameValue = a.decimalValue().compareTo(b.decimalValue()) == 0;
      return sameValue && (byValue || a.decimalValue().scale() == b.decimalValue().scale());
    }
    if (a.isArray() && b.isArray()) {
      boolean same = a.size() == b.size();
      for (int i = 0; same && i < a.size(); i++) {
        same = equal(a.get(i), b.get(i), byValue);
      }
      return same;
    }
    if (a.isObject() && b.isObject()) {
      boolean same = a.size() == b.size();
      for (Map.Entry<String, JsonNode> field : a.properties()) {
        JsonNode other = b.get(field.getKey());
        same &= other != null && equal(field.getValue(), other, byValue);
      }
      return same;
    }
    return a.equals(b);
  }

  /** Each {@code [a|b]} of the file: one of the alternatives is in the message. */
  private static void assertMentions(String message, String name) throws IOException {
    String lower = message.toLowerCase(Locale.ROOT);
    Matcher groups = ALTERNATIVES.matcher(new String(bytes(name + ".error"), UTF_8));
    while (groups.find()) {
      List<String> any = List.of(groups.group(1).toLowerCase(Locale.ROOT).split("\\|"));
      if (any.stream().noneMatch(lower::contains)) {
        fail("<%s> mentions none of %s", message, any);
      }
    }
  }
}
