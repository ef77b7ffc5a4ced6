package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What transforms do to counters, ids and headers on the way from file to file. */
class TransformedRouteTest {

  private static final Pattern ID = Pattern.compile("\"message_id\":\"([^\"]{36})\"");

  @TempDir private Path folder;

  private RunStatus run(String in, String text, String out, Object... transforms)
      throws IOException {
    Path from = Files.writeString(folder.resolve(in), text);
    try (TestRuns runs = new TestRuns(new FileConnector())) {
      RunStatus status =
          runs.run(
              Map.of("file", Map.of("path", from.toString())),
              Map.of(
                  "file",
                  Map.of(
                      "path",
                      folder.resolve(out).toString(),
                      "format",
                      out.endsWith("csv") ? "csv" : "normal")),
              "transforms",
              List.of(transforms));
      assertThat(status.state()).as("%s", status).isEqualTo(RunState.COMPLETED);
      return status;
    }
  }

  private List<String> ids(String file) throws IOException {
    return ID.matcher(Files.readString(folder.resolve(file)))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void rowsThatAreNotWantedAreCounted() throws IOException {
    RunStatus status =
        run("in.csv", "id\n1\n2\n3\n4\n", "out.txt", Map.of("filter", "id != '2' and id < 'x'"));
    assertThat(status.messages()).isEqualTo(3);
    assertThat(status.filtered()).isEqualTo(1);
    assertThat(status.rejected()).isZero();
  }

  @Test
  void rowsOfAnArrayHaveIdsOfTheirOwn() throws IOException {
    String lines = "{\"a\":[1,2,3]}\n{\"a\":[4,5]}\n{\"a\":[]}\n";
    run("in.jsonl", lines, "out.txt", Map.of("explode", "a"));
    List<String> ids = ids("out.txt");
    assertThat(ids).hasSizeGreaterThanOrEqualTo(5).doesNotHaveDuplicates();
    run("in.jsonl", lines, "again.txt", Map.of("explode", "a"));
    assertThat(ids("again.txt")).isEqualTo(ids);
  }

  @Test
  void aFileWithoutRowsKeepsItsHeader() throws IOException {
    run("in.csv", "a,b,c\n", "out.csv", Map.of("select", Map.of("drop", List.of("b"))));
    assertThat(folder.resolve("out.csv")).hasContent("a,c\n");
    run("in.csv", "a,b,c\n1,2,3\n", "none.csv", Map.of("filter", "a = 'x'"));
    assertThat(folder.resolve("none.csv")).hasContent("a,b,c\n");
  }

  @Test
  void whatIsLeftOutIsToldWithItsPlaces() throws IOException {
    Path from =
        Files.writeString(folder.resolve("in.csv"), "a,b\n1\n2,3\n4\n5\n6\n" + "7,8\n".repeat(99));
    Map<String, ?> out = Map.of("file", Map.of("path", folder.resolve("o.jsonl").toString()));
    try (TestRuns runs = new TestRuns(new FileConnector())) {
      RunStatus status =
          runs.run(Map.of("file", Map.of("path", from.toString())), out, "on_reject", "skip");
      assertThat(status.rejected()).isEqualTo(4);
      assertThat(status.warnings())
          .singleElement()
          .asString()
          .contains(": 4; first at", "line 2 (ragged_row)", "line 4", "line 5")
          .doesNotContain("line 6");
      RunStatus padded =
          runs.run(
              Map.of("file", Map.of("path", from.toString(), "on_ragged", "pad")),
              Map.of("file", Map.of("path", folder.resolve("padded.jsonl").toString())),
              "max_batch_rows",
              3);
      assertThat(padded.rejected()).isZero();
      assertThat(padded.warnings())
          .singleElement()
          .asString()
          .contains("`on_ragged`", ": 4; first at");
    }
  }

  @Test
  void aFieldTakesTheValueOfAVariable() throws IOException {
    String path = System.getenv("PATH");
    run("in.csv", "a\n1\n", "out.csv", Map.of("set", Map.of("b", "x${env:PATH}")));
    assertThat(Files.readString(folder.resolve("out.csv"))).contains("x" + path);
  }
}
