package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StopMode;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Reader;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders and patterns as a source. */
final class ManyFilesTest {

  @TempDir Path folder;
  private final TestRuns runs = new TestRuns(new FileConnector());

  @AfterEach
  void close() {
    runs.close();
  }

  private Path write(String name, String text) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    return Files.writeString(path, text);
  }

  private void writeGzip(String name, String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(text.getBytes(UTF_8));
    }
  }

  private Map<String, ?> from(String pattern, Object... options) {
    Map<String, Object> all = new HashMap<>();
    all.put("path", pattern.isEmpty() ? folder.toString() : folder + "/" + pattern);
    for (int i = 0; i < options.length; i += 2) {
      all.put((String) options[i], options[i + 1]);
    }
    return Map.of("file", all);
  }

  private List<List<@Nullable String>> rows(String pattern, Object... options) {
    Collected collected = new Collected();
    RunStatus status = runs.run(from(pattern, options), TestRuns.collect(collected));
    assertThat(status.error()).isNull();
    return collected.rows();
  }

  private Problem refused(String pattern, Object... options) {
    List<Problem> problems = new ArrayList<>();
    assertThatThrownBy(() -> runs.start(from(pattern, options), TestRuns.collect(new Collected())))
        .isInstanceOfSatisfying(SpecException.class, e -> problems.addAll(e.problems()));
    return problems.getFirst();
  }

  @Test
  void readsAFolderInTheOrderOfNames() throws IOException {
    write("b.csv", "id\n3\n4\n");
    write("a.csv", "id\n1\n2");
    write("c.csv", "");
    write("d.csv", "id\n5\n");
    write(".hidden.csv", "id\n9\n");
    write("x.csv.part", "id\n9\n");
    write("x.csv.drover", "no csv");
    write("deeper/e.csv", "id\n9\n");
    assertThat(rows("")).extracting(List::getFirst).containsExactly("1", "2", "3", "4", "5");
    assertThat(rows("?.csv", "max_decompressed_bytes", 9))
        .extracting(List::getFirst)
        .containsExactly("1", "2", "3", "4", "5");
    assertThat(rows("[ab].csv")).extracting(List::getFirst).containsExactly("1", "2", "3", "4");
    assertThat(rows("{a,d}.csv")).extracting(List::getFirst).containsExactly("1", "2", "5");
    assertThat(rows("**/*.csv"))
        .extracting(List::getFirst)
        .containsExactly("1", "2", "3", "4", "5", "9");
    assertThat(rows("*/*.csv")).extracting(List::getFirst).containsExactly("9");
  }

  @Test
  void mixesCompressedAndPlainFiles() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int file = 0; file < 30; file++) {
      StringBuilder csv = new StringBuilder("id,text\n");
      for (int row = 0; row < 500; row++) {
        expected.add(file + "-" + row);
        csv.append(file).append('-').append(row).append(",text of it\n");
      }
      String name = "part-%02d.csv".formatted(file);
      if (file % 3 == 0) {
        write(name, csv.toString());
      } else {
        writeGzip(name + ".gz", csv.toString());
      }
    }
    for (boolean ordered : List.of(true, false)) {
      Collected collected = new Collected();
      RunStatus status = runs.run(from("part-*"), TestRuns.collect(collected), "ordered", ordered);
      assertThat(status.state()).isEqualTo(RunState.COMPLETED);
      assertThat(collected.rows()).extracting(List::getFirst).isEqualTo(expected);
    }
  }

  @Test
  void aNameWithWildcardsIsTakenLiterallyIfItIsThere() throws IOException {
    write("a[1].csv", "id\n1\n");
    write("a1.csv", "id\n2\n");
    assertThat(rows("a[1].csv")).extracting(List::getFirst).containsExactly("1");
  }

  @Test
  void tellsTheFirstDifferenceOfHeaders() throws IOException {
    write("a.csv", "id,name\n1,x\n");
    write("b.csv", "id,nome\n2,y\n");
    Collected collected = new Collected();
    RunStatus status = runs.run(from("*.csv"), TestRuns.collect(collected));
    Problem error = Objects.requireNonNull(status.error());
    assertThat(error.code()).isEqualTo(ErrorCode.HEADER_MISMATCH);
    assertThat(error.message()).contains("b.csv: ", "a.csv", "column 2", "`nome`", "`name`");
    assertThat(error.suggestion()).contains("by_name");
  }

  @Test
  void goesByNameIfAsked() throws IOException {
    write("a.csv", "id,name,note\n1,x,\"a \"\"b\"\"\"\n");
    write("b.csv", "note,id,name\n\"c \"\"d\"\"\",2,y\n");
    write("c.csv", "more,name\n3,z\n");
    Path out = folder.resolve("out.jsonl");
    RunStatus status =
        runs.run(
            from("*.csv", "on_mismatch", "by_name"),
            Map.of("file", Map.of("path", out.toString())));
    assertThat(status.error()).isNull();
    assertThat(Files.readAllLines(out))
        .containsExactly(
            "{\"id\":\"1\",\"name\":\"x\",\"note\":\"a \\\"b\\\"\"}",
            "{\"id\":\"2\",\"name\":\"y\",\"note\":\"c \\\"d\\\"\"}",
            "{\"name\":\"z\",\"more\":\"3\"}");
  }

  @Test
  void tellsWhatIsNearIfNothingFits() throws IOException {
    write("orders.csv", "id\n");
    write("items.tsv", "id\n");
    Problem problem = refused("order-*.csv");
    assertThat(problem.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(problem.path()).isEqualTo("/input/file/path");
    assertThat(problem.message()).contains("order-*.csv");
    assertThat(problem.suggestion()).contains("items.tsv", "orders.csv");
    assertThat(refused("*").message()).contains("items.tsv", "orders.csv", "tsv", "csv");
    assertThat(refused("*.csv", "max_files", 0).message()).contains("max_files");
    write("more.csv", "id\n");
    assertThat(refused("*.csv", "max_files", 1).message()).contains("max_files");
    assertThat(refused("nowhere/*.csv").code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
  }

  /** The working folder is a root. */
  @Test
  void eachFileIsUnderTheRoots() throws IOException {
    Path inside = Files.createDirectories(Path.of("target/many-files").toAbsolutePath());
    Files.writeString(inside.resolve("a.csv"), "id\n1\n");
    Path link = inside.resolve("b.csv");
    Files.deleteIfExists(link);
    try (TestRuns fenced =
        new TestRuns(
            FileAccess.fenced(List.of(), Map.of()), Engine.Settings.NONE, new FileConnector())) {
      Map<String, ?> all = Map.of("file", Map.of("path", inside + "/*.csv"));
      assertThat(fenced.run(all, TestRuns.collect(new Collected())).messages()).isEqualTo(1);
      Files.createSymbolicLink(link, Path.of("/etc/hosts"));
      for (String path : List.of(inside + "/*.csv", inside.toString(), "/etc/*", "../../../*")) {
        assertThatThrownBy(
                () ->
                    fenced.start(
                        Map.of("file", Map.of("path", path)), TestRuns.collect(new Collected())))
            .as(path)
            .isInstanceOfSatisfying(
                SpecException.class,
                e ->
                    assertThat(e.problems().getFirst().code())
                        .isEqualTo(ErrorCode.PATH_OUTSIDE_ROOTS));
      }
    }
  }

  @Test
  void doesNotWriteOverWhatItReads() throws IOException {
    write("a.jsonl", "{\"id\":1}\n");
    Path out = write("b.jsonl", "{\"id\":2}\n");
    assertThatThrownBy(
            () ->
                runs.start(
                    from("*.jsonl"),
                    Map.of("file", Map.of("path", out.toString(), "write_mode", "replace"))))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.SAME_FILE));
  }

  @Test
  void isNotFollowed() throws IOException {
    write("a.csv", "id\n1\n");
    write("b.csv", "id\n2\n");
    RunStatus status =
        runs.run(from("*.csv"), TestRuns.collect(new Collected()), "exit_on_empty", false);
    assertThat(Objects.requireNonNull(status.error()).message()).contains("2 files");
  }

  /** Stops after so many rows by a row that is refused, which is then mended. */
  private void failsAndResumes(boolean change) throws IOException {
    for (int file = 0; file < 5; file++) {
      StringBuilder csv = new StringBuilder("id,n\n");
      for (int row = 0; row < 3000; row++) {
        csv.append(file).append('-').append(row).append(",1\n");
      }
      if (file % 2 == 0) {
        writeGzip(file + ".csv.gz", csv.toString());
      } else {
        write(file + ".csv", csv.toString());
      }
    }
    Map<String, ?> out = Map.of("file", Map.of("path", folder.resolve("out.jsonl").toString()));
    Object[] options = {
      "resume",
      true,
      "max_batch_rows",
      100,
      "max_batch_bytes",
      4096,
      "max_uncommitted_bytes",
      5000,
      "limit_rows_per_second",
      20_000,
      "max_in_flight_bytes",
      8192
    };
    Run run = runs.start(from("*.csv*"), out, options);
    try {
      while (run.status().committed() < 7000 && !run.status().finished()) {
        Thread.sleep(5);
      }
      run.stop(StopMode.NOW, Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(TestRuns.await(run).state()).isEqualTo(RunState.STOPPED);
    if (change) {
      write("1.csv", "id,n\nother,1\n");
      RunStatus status = runs.run(from("*.csv*"), out, options);
      assertThat(Objects.requireNonNull(status.error()).code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
      assertThat(status.error().message()).contains("1.csv");
      return;
    }
    write("0a.csv", "id,n\nnew,1\n");
    RunStatus status = runs.run(from("*.csv*"), out, options);
    assertThat(status.error()).isNull();
    assertThat(status.warnings()).singleElement().asString().contains("0a.csv", "was not there");
    List<String> lines = Files.readAllLines(folder.resolve("out.jsonl"));
    assertThat(lines).hasSize(15_001).doesNotHaveDuplicates();
    List<String> ordered = new ArrayList<>(lines);
    ordered.remove("{\"id\":\"new\",\"n\":\"1\"}");
    for (int i = 0; i < ordered.size(); i++) {
      assertThat(ordered.get(i)).contains("\"" + i / 3000 + "-" + i % 3000 + "\"");
    }
  }

  @Test
  void goesOnAcrossFilesWithWhatWasAdded() throws IOException {
    failsAndResumes(false);
  }

  @Test
  void refusesToGoOnIfAFileHasChanged() throws IOException {
    failsAndResumes(true);
  }

  @Test
  void comparesHeadersWithTheFirstFileAlsoWhenItGoesOn() throws IOException {
    write("a.csv", "\nid,n\n1,2\n");
    write("b.csv", "id,m\n3,4\n");
    SourceRig rig = new SourceRig(folder.resolve("*.csv"), true, 100);
    try (Reader reader = rig.source().reader(rig)) {
      reader.assign(rig.source().splits().getLast(), null);
      assertThatThrownBy(() -> reader.read(Duration.ZERO))
          .hasMessageContaining("b.csv: ")
          .hasMessageContaining("column 2 is `m`");
    }
    rig.close();
  }
}
