package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.DroverException;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JsonArrayTest {

  private static String read(String json, boolean skip, IntUnaryOperator next) {
    CsvFeed feed = new CsvFeed(FormatOptions.of("json_array"), skip).withoutRows();
    feed.read(json.getBytes(UTF_8), next);
    assertThat(feed.buffers.held()).isZero();
    return feed.json.toString(UTF_8);
  }

  /** In one read, byte by byte, and cut at random. */
  private static void assertRead(String json, String lines) {
    int length = json.getBytes(UTF_8).length;
    assertThat(read(json, false, at -> length)).isEqualTo(lines);
    assertThat(read(json, false, at -> at + 1)).isEqualTo(lines);
    for (int round = 0; round < 20; round++) {
      Random random = Seed.round(round);
      assertThat(read(json, false, at -> Math.min(length, at + 1 + random.nextInt(9))))
          .as(Seed.name(round))
          .isEqualTo(lines);
    }
  }

  static Stream<Arguments> documents() {
    return Stream.of(
        Arguments.of("[]", ""),
        Arguments.of(" [ ] ", ""),
        Arguments.of("[{}]", "{}\n"),
        Arguments.of("[{\"a\":1},{\"a\":2}]", "{\"a\":1}\n{\"a\":2}\n"),
        Arguments.of(
            "[\n  {\n    \"a\": [1, {\"b\": \"],}\\\"\"}]\n  },\n  {\"c\":\"\\\\\"}\n]\n",
            "{\"a\":[1, {\"b\": \"],}\\\"\"}]}\n{\"c\":\"\\\\\"}\n"),
        Arguments.of("{\"a\": 1,\n \"b\": [2]}", "{\"a\":1,\"b\":[2]}\n"),
        Arguments.of("\uFEFF[{\"ä\":1}]", "{\"ä\":1}\n"));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void readsArraysAndDocuments(String json, String lines) {
    assertRead(json, lines);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        Arguments.of("", "empty"),
        Arguments.of("[{\"a\":1}", "ends inside the array"),
        Arguments.of("{\"a\":1", "ends inside the object"),
        Arguments.of("[{\"a\":1},]", "line 1, column 10"),
        Arguments.of("[{\"a\":1} {\"a\":2}]", "a comma or ] should be here"),
        Arguments.of("[{\"a\":1}],", "there is more behind the end"),
        Arguments.of("[{\"a\":1}] x", "jsonl"),
        Arguments.of("{\"a\":1}\n{\"a\":2}", "jsonl"),
        Arguments.of("id,name\n", "csv"),
        Arguments.of("[{\"a\":01}]", "line 1, column 7"),
        Arguments.of("[1]", "an element must be a JSON object"),
        Arguments.of("[[]]", "an element must be a JSON object"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void saysWhatIsWrong(String json, String why) {
    int length = json.getBytes(UTF_8).length;
    assertThatThrownBy(() -> read(json, false, at -> length))
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> assertThat(e.getMessage() + e.problem().suggestion()).contains(why));
    assertThatThrownBy(() -> read(json, false, at -> at + 1)).isNotNull();
  }

  @Test
  void anElementThatIsNoObjectIsARefusedRow() {
    assertThat(read("[{\"a\":1},5,{\"a\":2}]", true, at -> 20)).isEqualTo("{\"a\":1}\n{\"a\":2}\n");
  }
}
