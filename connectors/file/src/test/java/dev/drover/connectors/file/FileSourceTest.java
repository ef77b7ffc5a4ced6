package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.SourceContract;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest extends SourceContract {

  @TempDir Path folder;
  private final Connector connector = new FileConnector();

  @Override
  protected Connector connector() {
    return connector;
  }

  @Override
  protected Map<String, ?> endpointWith(List<String> fields, List<List<String>> rows)
      throws IOException {
    StringBuilder csv = new StringBuilder(String.join(",", fields)).append("\r\n");
    for (List<String> row : rows) {
      csv.append(row.stream().map(FileSourceTest::quoted).collect(Collectors.joining(",")));
      csv.append("\r\n");
    }
    return file(csv.toString());
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private Map<String, ?> file(String content) throws IOException {
    Path path = Files.writeString(folder.resolve("in.csv"), content);
    return Map.of("file", Map.of("path", path.toString()));
  }

  private RunStatus failing(String content) throws IOException {
    RunStatus status = runs().run(file(content), TestRuns.collect(new Collected()));
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    return status;
  }

  private static String error(RunStatus status) {
    assertThat(status.error()).isNotNull();
    return status.error() == null ? "" : status.error().message();
  }

  @Test
  void tellsTheLineInTheWholeFile() throws IOException {
    // Far enough to be in a later chunk; every row has a line break inside quotes.
    StringBuilder csv = new StringBuilder("a,b\n");
    for (int i = 0; i < 60_000; i++) {
      csv.append(i).append(",\"x\ny\"\n");
    }
    RunStatus status = failing(csv + "only one\n" + "1,2\n");
    assertThat(error(status)).contains("in.csv: line 120002", "2", "1");
    assertThat(status.error()).extracting(e -> e.code()).isEqualTo(ErrorCode.RAGGED_ROW);
    assertThat(status.rejected()).isEqualTo(1);
  }

  @Test
  void tellsWhereAnOpenQuoteBegan() throws IOException {
    StringBuilder csv = new StringBuilder("a,b\n");
    csv.append("1,2\n".repeat(100_000));
    RunStatus status = failing(csv + "3,\"never closed\n" + "1,2\n".repeat(100_000));
    assertThat(error(status)).contains("line 100002").containsIgnoringCase("quot");
  }

  @Test
  void refusesARecordOverTheLimit() throws IOException {
    Path path = Files.writeString(folder.resolve("in.csv"), "a\n1\n" + "x".repeat(2_000_000));
    RunStatus status =
        runs()
            .run(
                Map.of("file", Map.of("path", path.toString(), "max_record_bytes", 1_000_000)),
                TestRuns.collect(new Collected()));
    assertThat(error(status)).contains("max_record_bytes", "line 3");
    assertThat(status.error()).extracting(e -> e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
  }

  @Test
  void takesRecordsMuchLargerThanABlock() throws IOException {
    String large = "\"line\nbreak\" ".repeat(300_000);
    Collected collected = new Collected();
    runs()
        .run(
            endpointWith(List.of("a", "b"), List.of(List.of("1", large), List.of("2", "s"))),
            TestRuns.collect(collected));
    assertThat(collected.rows()).isEqualTo(List.of(List.of("1", large), List.of("2", "s")));
  }

  @Test
  void tellsABadOptionBeforeAnythingRuns() throws IOException {
    Path path = Files.writeString(folder.resolve("in.csv"), "a\n1\n");
    assertThatThrownBy(
            () ->
                runs()
                    .start(
                        Map.of("file", Map.of("path", path.toString(), "delimiter", ";;")),
                        TestRuns.collect(new Collected())))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
              assertThat(e.problems().getFirst().path()).isEqualTo("/input/file/delimiter");
            });
  }

  @Test
  void warnsOfADelimiterThatIsNotTheFiles() throws IOException {
    RunStatus status = runs().run(file("a;b\n1;2\n"), TestRuns.collect(new Collected()));
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(status.warnings()).singleElement().asString().contains("delimiter", ";");
  }
}
