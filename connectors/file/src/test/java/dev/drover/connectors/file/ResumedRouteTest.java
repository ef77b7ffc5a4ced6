package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StopMode;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole routes from file to file that are stopped and go on. */
class ResumedRouteTest {

  private static final int ROWS = 2000;

  @TempDir Path folder;
  private final TestRuns runs = new TestRuns(new FileConnector());
  private Path source = Path.of("");
  private String expected = "";

  @BeforeEach
  void write() throws IOException {
    folder = folder.toRealPath();
    source = folder.resolve("in.csv");
    StringBuilder csv = new StringBuilder("id,text\r\n");
    StringBuilder json = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      csv.append(i).append(",\"a \"\"quoted\"\"\n").append(i).append("\"\r\n");
      json.append("{\"id\":\"%d\",\"text\":\"a \\\"quoted\\\"\\n%d\"}\n".formatted(i, i));
    }
    Files.writeString(source, csv);
    expected = json.toString();
  }

  @AfterEach
  void close() {
    runs.close();
  }

  private Path target() {
    return folder.resolve("out.jsonl");
  }

  private Run start(Path from, String writeMode) {
    return runs.start(
        Map.of("file", from.toString()),
        Map.of("file", Map.of("path", target().toString(), "write_mode", writeMode)),
        "resume",
        true,
        "max_batch_rows",
        10,
        "max_batch_bytes",
        600,
        "commit_interval_ms",
        1,
        "limit_rows_per_second",
        20_000);
  }

  private RunStatus run(String writeMode) {
    return TestRuns.await(start(source, writeMode));
  }

  /** Runs until some rows are committed, then stops. */
  private RunStatus half(String writeMode) throws InterruptedException {
    Run run = start(source, writeMode);
    while (run.status().committed() < 200) {
      Thread.sleep(1);
    }
    assertThat(run.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
    assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
    return run.status();
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return files;
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "replace", "append"})
  void theResultIsThatOfARunThatWasNotDisturbed(String writeMode) throws Exception {
    half(writeMode);
    half(writeMode);
    RunStatus status = run(writeMode);
    assertThat(status.error()).isNull();
    assertThat(status.resumed()).isTrue();
    assertThat(status.messages()).isLessThan(ROWS);
    assertThat(Files.readString(target())).isEqualTo(expected);
    assertThat(files().keySet()).containsExactly("in.csv", "out.jsonl");
  }

  @Test
  void jsonLinesGoOnInTheMiddleToo() throws Exception {
    // One long first line: whatever is looked at first, it is not all of it.
    String first = "{\"id\":\"" + "x".repeat(5000) + "\"}\n";
    Path json = Files.writeString(folder.resolve("in.jsonl"), first + expected);
    RunStatus status;
    do {
      Run run = start(json, "replace");
      Thread.sleep(30);
      run.stop(StopMode.DRAIN, TestRuns.LONG);
      status = run.status();
      assertThat(status.error()).isNull();
    } while (status.state() == RunState.STOPPED);
    assertThat(status.resumed()).isTrue();
    assertThat(Files.readString(target())).isEqualTo(first + expected);
  }

  @Test
  void placesInErrorsCountFromTheStartOfTheFile() throws Exception {
    Files.writeString(source, "1,2,3\r\n", StandardOpenOption.APPEND);
    half("replace");
    RunStatus status = run("replace");
    assertThat(status.error()).isNotNull();
    // The header, two lines a row, and the bad one.
    assertThat(Objects.requireNonNull(status.error()).message())
        .contains("line " + (1 + 2 * ROWS + 1) + ":");
  }

  @Test
  void aSourceThatHasChangedIsRefused() throws Exception {
    half("replace");
    Files.writeString(source, "1,x\r\n", StandardOpenOption.APPEND);
    Map<String, String> before = files();
    Problem error = Objects.requireNonNull(run("replace").error());
    assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
    Map<String, String> after = files();
    // The checkpoint was taken over and given back, so its epoch is another.
    before.remove("out.jsonl.drover");
    after.remove("out.jsonl.drover");
    assertThat(after).isEqualTo(before);
    assertThat(error.message()).contains(source.toString());
  }

  @Test
  void withoutResumeAllIsDoneAnew() throws Exception {
    half("replace");
    RunStatus status =
        runs.run(
            Map.of("file", source.toString()),
            Map.of("file", Map.of("path", target().toString(), "write_mode", "replace")));
    assertThat(status.messages()).isEqualTo(ROWS);
    assertThat(Files.readString(target())).isEqualTo(expected);
    assertThat(files().keySet()).containsExactly("in.csv", "out.jsonl");
  }

  @Test
  void aCommitMayWaitForTheDisk() throws Exception {
    RunStatus status =
        runs.run(
            Map.of("file", source.toString()),
            Map.of("file", Map.of("path", target().toString(), "fsync", "commit")),
            "resume",
            true,
            "max_uncommitted_bytes",
            20_000);
    assertThat(status.error()).isNull();
    assertThat(Files.readString(target())).isEqualTo(expected);
  }
}
