package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commonest ways in which files are no plain CSV. Each is read well after one step: doing what
 * the error, or the warning, suggests, and nothing else.
 */
class BadExportsTest {

  private static final Pattern SETTING =
      Pattern.compile("`(\\w+)` to (\"(?:[^\"\\\\]|\\\\.)*\"|\\d+)");

  @TempDir private @Nullable Path folder;

  private static Arguments of(String what, String option, byte[] file, String... rows) {
    List<List<String>> expected =
        Stream.of(rows).map(row -> List.of(row.split("\\|", -1))).toList();
    return Arguments.of(what, option, file, expected);
  }

  private static Arguments of(String what, String option, String file, String... rows) {
    return of(what, option, file.getBytes(UTF_8), rows);
  }

  static Stream<Arguments> exports() {
    return Stream.of(
        of("semicolons and decimal commas", "delimiter", "a;b\n1,5;2\n3;4\n", "1,5|2", "3|4"),
        of("semicolons alone", "delimiter", "a;b\n1;2\n", "1|2"),
        of("tabs", "delimiter", "a\tb\n1,5\t2\n", "1,5|2"),
        of("bars", "delimiter", "a|b\n1|2, 3\n", "1|2, 3"),
        of("windows-1252", "encoding", "a,b\nCaf\u00e9,2\n".getBytes(ISO_8859_1), "Caf\u00e9|2"),
        of("a DOS page", "encoding", "a,b\nf\u0081r,2\n".getBytes(ISO_8859_1), "f\u00fcr|2"),
        of("UTF-16 without a mark", "encoding", "a,b\n1,2\n".getBytes(UTF_16LE), "1|2"),
        of("UTF-16 with a mark", "", "a,b\n1,2\n".getBytes(Charset.forName("UTF-16")), "1|2"),
        of("inch marks", "quote", "a,b\n\"5\" pipe,2\n7\" nail,3\n", "\"5\" pipe|2", "7\" nail|3"),
        of("an inch mark that opens", "quote", "a,b\n1,\" wide\n2,3\n", "1|\" wide", "2|3"),
        of("a title above the header", "skip_rows", "Report 2026\na,b\n1,2\n", "1|2"),
        of("a title and an empty line", "skip_rows", "Report 2026\n\na,b\n1,2\n", "1|2"),
        of("a totals line below", "on_reject", "a,b,c\n1,2,3\n4,5,6\nTotal,21\n", "1|2|3", "4|5|6"),
        of("mixed line ends", "", "a,b\r\n1,2\n3,4\r5,6", "1|2", "3|4", "5|6"),
        of("a comma after each row", "on_ragged", "a,b\n1,2,\n3,4,\n", "1|2", "3|4"),
        of("rows cut short", "on_ragged", "a,b,c\n1\n2,3\n4,5,6\n", "1||", "2|3|", "4|5|6"),
        of("backslashes before quotes", "escape", "a,b\n\"say \\\"hi\\\"\",2\n", "say \"hi\"|2"),
        of("single quotes", "quote", "a,b\n'1,5',2\n", "1,5|2"),
        of("comments above", "comment", "# by export\na,b\n1,2\n", "1|2"),
        of("the delimiter in the first line", "skip_rows", "sep=;\na;b\n1;2\n", "1|2"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("exports")
  void isMendedInOneStep(String what, String option, byte[] bytes, List<List<String>> rows)
      throws IOException {
    Path file = Files.write(Path.of(String.valueOf(folder), "export.csv"), bytes);
    Map<String, Object> input = new LinkedHashMap<>(Map.of("path", file.toString()));
    Map<String, Object> route = new LinkedHashMap<>();
    Collected first = new Collected();
    RunStatus status = run(input, route, first);
    String suggestion = suggestion(status);
    if (option.isEmpty()) {
      assertThat(suggestion).isNull();
      assertThat(first.rows()).isEqualTo(rows);
      return;
    }
    assertThat(suggestion).as("%s", status).contains("`" + option + "`");
    Matcher settings = SETTING.matcher(String.valueOf(suggestion));
    while (settings.find()) {
      String text = settings.group(2);
      Object value =
          text.startsWith("\"")
              ? text.substring(1, text.length() - 1).replace("\\\\", "\\").replace("\\t", "\t")
              : (Object) Integer.valueOf(text);
      (settings.group(1).equals("on_reject") ? route : input).put(settings.group(1), value);
    }
    Collected second = new Collected();
    RunStatus mended = run(input, route, second);
    assertThat(mended.state()).as("%s", mended).isEqualTo(RunState.COMPLETED);
    assertThat(second.rows()).isEqualTo(rows);
  }

  private static RunStatus run(
      Map<String, Object> input, Map<String, Object> route, Collected into) {
    List<Object> options = new ArrayList<>();
    route.forEach(
        (key, value) -> {
          options.add(key);
          options.add(value);
        });
    try (TestRuns runs = new TestRuns(new FileConnector())) {
      return runs.run(Map.of("file", input), TestRuns.collect(into), options.toArray());
    }
  }

  private static @Nullable String suggestion(RunStatus status) {
    Problem error = status.error();
    if (error != null) {
      return error.suggestion();
    }
    return status.warnings().isEmpty() ? null : status.warnings().getFirst();
  }

  /** That is how the options behind a path at the shell list them. */
  @Test
  void oneTextNamesSeveralColumns() throws IOException {
    Path file = Files.writeString(Path.of(String.valueOf(folder), "in.csv"), "1,2\n3,4\n");
    Collected rows = new Collected();
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("path", file.toString());
    input.put("header", "false");
    input.put("columns", "x,y");
    assertThat(run(input, Map.of(), rows).state()).isEqualTo(RunState.COMPLETED);
    assertThat(rows.schemas().getFirst().fields().stream().map(Field::name))
        .containsExactly("x", "y");
    input.put("columns", List.of("x"));
    assertThat(String.valueOf(run(input, Map.of(), rows).error()))
        .contains("expected 1 fields as in `columns`, found 2", "name 2 columns");
  }
}
