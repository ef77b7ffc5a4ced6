package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StopMode;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.RowsConnector.Then;
import dev.drover.testkit.SinkContract;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FileSinkTest extends SinkContract {

  private static final List<String> FIELDS = List.of("a");
  private static final List<List<String>> ROWS = List.of(List.of("1"), List.of("2"));

  @TempDir Path folder;
  private final Connector connector = new FileConnector();

  @Override
  protected Connector connector() {
    return connector;
  }

  @Override
  protected CommitMode commitMode() {
    return CommitMode.AT_END;
  }

  private Path target() {
    return folder.resolve("out.jsonl");
  }

  private Path part() {
    return folder.resolve("out.jsonl.part");
  }

  @Override
  protected Map<String, ?> endpoint() {
    return Map.of("file", Map.of("path", target().toString()));
  }

  private Map<String, ?> replacing() {
    return Map.of("file", Map.of("path", target().toString(), "write_mode", "replace"));
  }

  @Override
  protected @Nullable List<List<@Nullable String>> readBack() throws IOException {
    assertThat(part()).doesNotExist();
    if (!Files.exists(target())) {
      return null;
    }
    JsonMapper mapper = new JsonMapper();
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (String line : Files.readAllLines(target())) {
      if (!line.isEmpty()) {
        List<@Nullable String> row = new ArrayList<>();
        for (JsonNode value : mapper.readTree(line)) {
          row.add(value.isNull() ? null : value.stringValue());
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private Problemed refusal(Map<String, ?> output) {
    Problemed found = new Problemed();
    assertThatThrownBy(() -> runs().run(TestRuns.rows(FIELDS, ROWS, Then.END), output))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              found.code = e.problems().getFirst().code();
              found.text = e.getMessage() + " " + e.problems().getFirst().suggestion();
            });
    return found;
  }

  private static final class Problemed {
    @Nullable ErrorCode code;
    String text = "";
  }

  @Test
  void refusesAnExistingFileUnlessTold() throws IOException {
    Files.writeString(target(), "old");
    Problemed refused = refusal(endpoint());
    assertThat(refused.code).isEqualTo(ErrorCode.FILE_EXISTS);
    assertThat(refused.text).contains(target().toString(), "write_mode", "replace");
    assertThat(target()).hasContent("old");

    RunStatus status = runs().run(TestRuns.rows(FIELDS, ROWS, Then.END), replacing());
    assertThat(status.destination()).isNotNull();
    if (status.destination() != null) {
      assertThat(status.destination().location()).isEqualTo(target().toRealPath().toString());
      assertThat(status.destination().replaced()).isTrue();
    }
    assertThat(target()).hasContent("{\"a\":\"1\"}\n{\"a\":\"2\"}\n");
  }

  @Test
  void aFailedRunLeavesTheOldFile() throws IOException {
    Files.writeString(target(), "old");
    RunStatus status = runs().run(TestRuns.rows(FIELDS, ROWS, Then.FAIL_READING), replacing());
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(target()).hasContent("old");
    assertThat(part()).doesNotExist();
  }

  @Test
  void aFileThatAppearsMeanwhileIsNotReplaced() throws Exception {
    Run run =
        runs().start(TestRuns.rows(FIELDS, ROWS, Then.WAIT), endpoint(), "exit_on_empty", true);
    while (run.status().messages() < ROWS.size()) {
      Thread.sleep(1);
    }
    Files.writeString(target(), "somebody else's");
    run.stop(StopMode.NOW, TestRuns.LONG);
    assertThat(target()).hasContent("somebody else's");
  }

  @Test
  void theSecondRunIntoAFileIsRefused() throws Exception {
    Run first =
        runs().start(TestRuns.rows(FIELDS, ROWS, Then.WAIT), endpoint(), "exit_on_empty", true);
    while (first.status().messages() < ROWS.size()) {
      Thread.sleep(1);
    }
    RunStatus second = runs().run(TestRuns.rows(FIELDS, ROWS, Then.END), endpoint());
    assertThat(second.state()).isEqualTo(RunState.FAILED);
    assertThat(second.error()).extracting(e -> e.code()).isEqualTo(ErrorCode.TARGET_BUSY);
    assertThat(part()).hasContent("{\"a\":\"1\"}\n{\"a\":\"2\"}\n");
    first.stop(StopMode.NOW, TestRuns.LONG);
    assertThat(part()).doesNotExist();
  }

  @Test
  void aLeftOverPartIsTakenOver() throws IOException {
    Files.writeString(part(), "left over by a process that was killed, longer than the new rows");
    runs().run(TestRuns.rows(FIELDS, ROWS, Then.END), endpoint());
    assertThat(target()).hasContent("{\"a\":\"1\"}\n{\"a\":\"2\"}\n");
    assertThat(part()).doesNotExist();
  }

  @Test
  void neverWritesThroughALink() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "old");
    Files.createSymbolicLink(part(), victim);
    RunStatus status = runs().run(TestRuns.rows(FIELDS, ROWS, Then.END), endpoint());
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(victim).hasContent("old");
  }

  @Test
  void tellsBadTargetsBeforeAnythingRuns() throws IOException {
    assertThat(refusal(Map.of("file", folder.toString())).text).contains("no extension");
    assertThat(refusal(Map.of("file", Map.of("path", folder.toString(), "format", "jsonl"))).text)
        .contains("is a folder");
    assertThat(refusal(Map.of("file", folder + "/none/out.jsonl")).code)
        .isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(refusal(Map.of("file", folder + "/out.parquet")).code)
        .isEqualTo(ErrorCode.UNKNOWN_FORMAT);
  }

  @Test
  void refusesToWriteOverItsInput() throws IOException {
    Path input = Files.writeString(folder.resolve("same.csv"), "a\n1\n");
    Path link = Files.createLink(folder.resolve("same.jsonl"), input);
    assertThatThrownBy(
            () ->
                runs()
                    .run(
                        Map.of("file", input.toString()),
                        Map.of("file", Map.of("path", link.toString(), "write_mode", "replace"))))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.SAME_FILE));
    assertThat(input).hasContent("a\n1\n");
  }
}
