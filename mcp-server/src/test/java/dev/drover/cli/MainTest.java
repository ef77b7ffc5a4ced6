package dev.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path folder;

  private int run(String... args) {
    out.reset();
    err.reset();
    Streams streams = new Streams(stream(out), stream(err), false);
    return Main.run(args, streams);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void saysWhatRuns() {
    for (String name : new String[] {"version", "--version", "-V"}) {
      assertThat(run(name)).isZero();
      assertThat(out()).matches("drover \\S+ \\(\\S+\\), Java 25.*\\R");
      assertThat(err()).isEmpty();
    }
  }

  @Test
  void helpsEverywhereWithExamples() {
    String[][] all = {
      {"--help"},
      {"help"},
      {"help", "copy"},
      {"copy", "--help"},
      {"copy", "-h"},
      {"mcp", "--help"},
      {"version", "--help"},
      {"help", "mcp"},
      {"help", "version"}
    };
    for (String[] args : all) {
      assertThat(run(args)).as(String.join(" ", args)).isZero();
      assertThat(out()).startsWith("Usage: drover ").contains("Example");
      assertThat(out().lines()).allMatch(line -> line.length() <= 100);
      assertThat(err()).isEmpty();
    }
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThat(run()).isEqualTo(2);
    assertThat(out()).isEmpty();
    assertThat(run("cpoy")).isEqualTo(2);
    assertThat(err()).contains("did you mean 'copy'?");
    assertThat(run("copy", "a.csv", "b.jsonl", "--drian")).isEqualTo(2);
    assertThat(err()).contains("'--drian'", "'--drain'").doesNotContain("Exception");
    assertThat(run("copy", "a.csv")).isEqualTo(2);
    assertThat(err()).contains("TARGET is missing");
    assertThat(run("copy", "a.csv", "b.jsonl", "c.jsonl")).isEqualTo(2);
    assertThat(run("copy", "--from", "a.csv")).isEqualTo(2);
    assertThat(err()).contains("--to is missing");
    assertThat(run("copy", "a.csv", "b.jsonl", "--limit")).isEqualTo(2);
    assertThat(run("mcp", "--transport", "http")).isEqualTo(2);
    assertThat(err()).contains("stdio");
  }

  @Test
  void refusesAMixtureOfBothWaysToNameTheEnds() {
    assertThat(run("copy", "a.csv", "--to", "b.jsonl")).isEqualTo(2);
    assertThat(err()).contains("not a mixture");
  }

  @Test
  void copies() throws IOException {
    String source = write("a.csv", "id,name\n1,Ada\n2,\"Bo \"\"B\"\"\"\n");
    String target = path("a.jsonl");
    assertThat(run("copy", source, target)).as(err()).isZero();
    assertThat(Path.of(target))
        .hasContent("{\"id\":\"1\",\"name\":\"Ada\"}\n{\"id\":\"2\",\"name\":\"Bo \\\"B\\\"\"}\n");
    assertThat(out()).startsWith("copied 2 rows in ").contains(target).hasLineCount(1);
    assertThat(err()).isEmpty();
  }

  @Test
  void replacesTheTargetUnlessToldOtherwise() throws IOException {
    String source = write("a.csv", "id\n1\n");
    String target = write("a.jsonl", "old");
    assertThat(run("copy", "--from", source, "--to", target + "?write_mode=create")).isEqualTo(1);
    assertThat(err()).contains("TARGET", "file_exists");
    assertThat(Path.of(target)).hasContent("old");
    assertThat(run("copy", "--from", source, "--to", target)).isZero();
    assertThat(Path.of(target)).hasContent("{\"id\":\"1\"}\n");
    assertThat(out()).contains("replaced ");
  }

  @Test
  void copiesAtMostTheLimit() throws IOException {
    String source = write("a.csv", "id\n1\n2\n3\n");
    assertThat(run("copy", source, path("a.jsonl"), "--limit", "2", "--drain")).isZero();
    assertThat(folder.resolve("a.jsonl")).hasContent("{\"id\":\"1\"}\n{\"id\":\"2\"}\n");
  }

  @Test
  void reportsAsJson() throws IOException {
    String source = write("a.csv", "id\n1\n");
    assertThat(run("copy", source, path("a.jsonl"), "--json")).isZero();
    assertThat(out())
        .hasLineCount(1)
        .contains("\"state\":\"completed\"", "\"messages\":1,", "\"destination\":");
    assertThat(run("copy", path("nothing.csv"), path("b.jsonl"), "--json")).isEqualTo(1);
    assertThat(out()).hasLineCount(1).contains("\"error\":{\"code\":\"file_not_found\"");
  }

  @Test
  void tellsAllProblemsAtOnce() {
    int code =
        run(
            "copy",
            "a.csv?format",
            "nul:",
            "--batch-size",
            "0",
            "--concurrency",
            "x",
            "--limit",
            "-1");
    assertThat(code).isEqualTo(2);
    assertThat(err())
        .contains(
            "5 problems", "SOURCE: ", "TARGET: ", "--batch-size: ", "--concurrency: ", "--limit")
        .contains("did you mean 'null'?")
        .doesNotContain("dev.drover", "Exception");
  }

  @Test
  void leavesTheTargetAsItWasWhenTheCopyFails() throws IOException {
    String source = write("a.csv", "id,name\n1,Ada\n2\n");
    String target = write("a.jsonl", "old");
    assertThat(run("copy", source, target)).isEqualTo(1);
    assertThat(err()).contains("ragged_row", "the copy failed").doesNotContain("dev.drover");
    assertThat(out()).isEmpty();
    assertThat(Path.of(target)).hasContent("old");
    assertThat(folder).isDirectoryContaining(path -> path.endsWith("a.jsonl"));
    assertThat(folder.resolve("a.jsonl.part")).doesNotExist();
  }

  @Test
  void aMissingRootEndsTheServer() {
    assertThat(run("mcp", "--root", path("nothing"))).isEqualTo(1);
    // The same through the parser, which a plain start does without.
    assertThat(run("mcp", "--root=" + path("nothing"))).isEqualTo(1);
    assertThat(err()).contains("nothing").doesNotContain("Exception");
    assertThat(run("mcp", "--root")).isEqualTo(2);
  }
}
