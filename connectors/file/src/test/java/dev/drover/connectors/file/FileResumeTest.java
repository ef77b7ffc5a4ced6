package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.connectors.file.Sidecar.State;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StopMode;
import dev.drover.runtime.StoredSplit;
import dev.drover.spi.Access;
import dev.drover.spi.Buffers;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
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

/** What a run finds that goes on with the file of another: whole, half, changed, or not its own. */
class FileResumeTest {

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

  private Path part() {
    return folder.resolve("out.jsonl.part");
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

  private Problem refused(String writeMode) throws IOException {
    Map<String, String> before = files();
    RunStatus status = run(writeMode);
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(files()).as("nothing is touched").isEqualTo(before);
    Problem error = Objects.requireNonNull(status.error());
    assertThat(error.suggestion()).isNotNull();
    return error;
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

  @ParameterizedTest
  @ValueSource(strings = {"create", "replace", "append"})
  void whatACrashLeftBehindTheLastCommitIsCutOff(String writeMode) throws Exception {
    half(writeMode);
    Path data = writeMode.equals("append") ? target() : part();
    leaveAs(data, State.OPEN);
    Files.writeString(data, "{\"id\":\"half a ro", StandardOpenOption.APPEND);
    assertThat(run(writeMode).error()).isNull();
    assertThat(Files.readString(target())).isEqualTo(expected);
  }

  /** As if the run had been cut off at another point. */
  private void leaveAs(Path data, State state) throws IOException {
    Path sidecar = Sidecar.of(data);
    Checkpoint left = Checkpoint.parse(Files.readString(sidecar), "");
    Map<String, String> attributes = new TreeMap<>(left.attributes());
    attributes.put("state", state.name());
    Files.writeString(sidecar, left.with(left.splits(), attributes).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "replace"})
  void aCrashBetweenAnyTwoStepsOfTheEndIsMended(String writeMode) throws Exception {
    WriteMode mode = WriteMode.valueOf(writeMode.toUpperCase(java.util.Locale.ROOT));
    for (int step = 0; step < 5; step++) {
      Files.deleteIfExists(target());
      String id = half(writeMode).checkpointId();
      // The rest of the run by hand, up to some step of its end.
      Checkpoint left = Checkpoint.parse(Files.readString(Sidecar.of(part())), "");
      StoredSplit before = StoredSplit.parse(left.splits().values().iterator().next());
      String stored = before.at(Long.toString(Files.size(source))).text();
      Files.writeString(part(), expected);
      try (OutputFile file = OutputFile.open(part(), target())) {
        Sidecar sidecar = new Sidecar(part(), new Scope(id, source.toString()), false);
        assertThat(sidecar.load()).isTrue();
        sidecar.commit(
            Map.of(
                left.splits().keySet().iterator().next(),
                new dev.drover.spi.Progress(FileOffset.of(Files.size(source)), stored)),
            file);
        if (step > 0) {
          sidecar.leave(State.FINISHED, file);
        }
      }
      if (step == 2 && mode == WriteMode.CREATE) {
        Files.createLink(target(), part());
      } else if (step >= 2) {
        Files.move(part(), target());
      }
      if (step == 3 && mode == WriteMode.REPLACE) {
        // Nothing is left to go on from: all of it is done again, with the same result.
        Files.delete(Sidecar.of(part()));
      }
      if (step == 4) {
        // The next run was cut off too, when it had opened its part.
        Files.createFile(part());
      }
      RunStatus status = run(writeMode);
      assertThat(status.error()).as("step %d", step).isNull();
      assertThat(status.state()).isEqualTo(RunState.COMPLETED);
      assertThat(Files.readString(target())).isEqualTo(expected);
      assertThat(files().keySet()).containsExactly("in.csv", "out.jsonl");
    }
  }

  private record Scope(String checkpointId, String source) implements WriterScope {
    @Override
    public Access access() {
      return FileAccess.unfenced();
    }

    @Override
    public Buffers buffers() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean resume() {
      return true;
    }
  }

  @Test
  void aTornSidecarIsRefusedAtEveryLength() throws Exception {
    half("replace");
    Path sidecar = Sidecar.of(part());
    String whole = Files.readString(sidecar);
    for (int length = 0; length < whole.length(); length += 7) {
      Files.writeString(sidecar, whole.substring(0, length));
      Problem error = refused("replace");
      assertThat(error.code()).isEqualTo(ErrorCode.CHECKPOINT_BROKEN);
      assertThat(error.message()).contains(sidecar.toString());
    }
    Files.writeString(sidecar, whole.replace("length\t", "length\t1"));
    assertThat(refused("replace").code()).isEqualTo(ErrorCode.CHECKPOINT_BROKEN);
    Files.writeString(sidecar, whole);
    assertThat(run("replace").error()).isNull();
    assertThat(Files.readString(target())).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"replace", "append"})
  void thePartOfAnotherRouteIsRefused(String writeMode) throws Exception {
    half(writeMode);
    Path other = Files.copy(source, folder.resolve("other.csv"));
    Map<String, String> before = files();
    RunStatus status = TestRuns.await(start(other, writeMode));
    Problem error = Objects.requireNonNull(status.error());
    assertThat(error.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH);
    assertThat(error.message()).contains(source.toString(), other.toString());
    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"replace", "append"})
  void whatSomebodyHasEditedIsRefused(String writeMode) throws Exception {
    half(writeMode);
    Path data = writeMode.equals("append") ? target() : part();
    byte[] whole = Files.readAllBytes(data);
    byte[] first = whole.clone();
    first[2] = 'X';
    byte[] last = whole.clone();
    last[last.length - 3] = 'X';
    byte[] longer = java.util.Arrays.copyOf(whole, whole.length + 1);
    byte[] shorter = java.util.Arrays.copyOf(whole, whole.length - 1);
    for (byte[] edited : List.of(first, last, longer, shorter)) {
      Files.write(data, edited);
      Problem error = refused(writeMode);
      assertThat(error.code()).isEqualTo(ErrorCode.TARGET_CHANGED);
      assertThat(error.message()).contains(data.toString());
    }
    Files.write(data, whole);
    assertThat(run(writeMode).error()).isNull();
    assertThat(Files.readString(target())).isEqualTo(expected);
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
    before.remove("out.jsonl.part.drover");
    after.remove("out.jsonl.part.drover");
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
