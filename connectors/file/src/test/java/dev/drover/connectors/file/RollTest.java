package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.testkit.RowsConnector.Then;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are numbered: when the next begins, what they are called, what stays. */
class RollTest {

  private static final int BATCH_ROWS = 2;

  @TempDir private Path folder;

  private RunStatus run(int rows, String name, boolean resume, Object... options) {
    List<List<String>> all = new ArrayList<>();
    for (int i = 1; i <= rows; i++) {
      all.add(List.of(Integer.toString(i)));
    }
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("path", folder.resolve(name).toString());
    for (int i = 0; i < options.length; i += 2) {
      file.put((String) options[i], options[i + 1]);
    }
    try (TestRuns runs = new TestRuns(new FileConnector())) {
      return runs.run(
          TestRuns.rows(List.of("a"), all, Then.END),
          Map.of("file", file),
          "max_batch_rows",
          BATCH_ROWS,
          "resume",
          resume);
    }
  }

  /** Names and their lines, of all files. */
  private Map<String, List<String>> files() throws IOException {
    Map<String, List<String>> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(file.getFileName().toString(), Unpacked.lines(file));
      }
    }
    return files;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileIsFullByItsRows(boolean resume) throws IOException {
    assertThat(run(5, "o-{n}.csv", resume, "roll_rows", 2).state()).isEqualTo(RunState.COMPLETED);
    assertThat(files())
        .isEqualTo(
            Map.of(
                "o-000001.csv", List.of("a", "1", "2"),
                "o-000002.csv", List.of("a", "3", "4"),
                "o-000003.csv", List.of("a", "5")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileIsFullByItsBytesAndABatchIsNotDivided(boolean resume) throws IOException {
    run(6, "o-{n}.jsonl", resume, "roll_bytes", 30);
    assertThat(files().values()).allSatisfy(lines -> assertThat(lines).hasSizeBetween(2, 4));
    assertThat(files()).hasSize(2);
    assertThat(files().values().stream().flatMap(List::stream).toList())
        .containsExactly(
            "{\"a\":\"1\"}",
            "{\"a\":\"2\"}",
            "{\"a\":\"3\"}",
            "{\"a\":\"4\"}",
            "{\"a\":\"5\"}",
            "{\"a\":\"6\"}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunWithoutRowsMakesOneFile(boolean resume) throws IOException {
    run(0, "o-{n}.jsonl", resume, "roll_rows", 2);
    assertThat(files()).isEqualTo(Map.of("o-000001.jsonl", List.of()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compressedFilesAreWhole(boolean resume) throws IOException {
    run(4, "o-{n}.jsonl.zst", resume, "roll_rows", 2);
    assertThat(files())
        .isEqualTo(
            Map.of(
                "o-000001.jsonl.zst", List.of("{\"a\":\"1\"}", "{\"a\":\"2\"}"),
                "o-000002.jsonl.zst", List.of("{\"a\":\"3\"}", "{\"a\":\"4\"}")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesThatAreThereStay(boolean resume) throws IOException {
    Files.writeString(folder.resolve("o-000007.jsonl"), "old\n");
    RunStatus refused = run(1, "o-{n}.jsonl", resume, "roll_rows", 2);
    assertThat(refused.state()).isEqualTo(RunState.FAILED);
    assertThat(String.valueOf(refused.error())).contains("o-000007.jsonl");
    assertThat(files()).isEqualTo(Map.of("o-000007.jsonl", List.of("old")));
    run(1, "o-{n}.jsonl", resume, "roll_rows", 2, "write_mode", "append");
    assertThat(files())
        .isEqualTo(
            Map.of("o-000007.jsonl", List.of("old"), "o-000008.jsonl", List.of("{\"a\":\"1\"}")));
  }

  @Test
  void patternAndLimitsBelongTogether() {
    assertThatThrownBy(() -> run(1, "o-{n}.jsonl", false))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("nothing says when a file is full");
    assertThatThrownBy(() -> run(1, "o.jsonl", false, "roll_rows", 2))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("the path has no {n}");
    assertThatThrownBy(() -> run(1, "o-{n}.jsonl", false, "roll_rows", 2, "write_mode", "replace"))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("numbered files are not replaced");
  }

  @Test
  void foldersAreMadeOnRequestOnly() throws IOException {
    assertThatThrownBy(() -> run(1, "new/er/o.jsonl", false))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("there is no folder");
    run(1, "new/er/o.jsonl", false, "create_folders", true);
    assertThat(folder.resolve("new/er/o.jsonl")).hasContent("{\"a\":\"1\"}");
  }
}
