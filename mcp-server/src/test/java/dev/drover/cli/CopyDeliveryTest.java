package dev.drover.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that are cut off and go on, and rows that are put aside. */
class CopyDeliveryTest {

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private int run(String... args) {
    out.reset();
    err.reset();
    return Main.run(
        args,
        new Streams(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Path csv(int rows) throws IOException {
    StringBuilder text = new StringBuilder("n\n");
    for (int i = 0; i < rows; i++) {
      text.append(i).append('\n');
    }
    return Files.writeString(folder.resolve("in.csv"), text);
  }

  private static String lines(int rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append("{\"n\":\"").append(i).append("\"}\n");
    }
    return text.toString();
  }

  /** Starts a slow copy in a process of its own and waits until it has committed. */
  private Process slowCopy(Path in, Path target, Path committed) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.drover.cli.Main",
            "copy",
            in.toString(),
            target.toString(),
            "--resume",
            "--set",
            "limit_rows_per_second=2000",
            "--set",
            "max_batch_bytes=100",
            "--set",
            "commit_interval_ms=10");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(folder.resolve("err").toFile());
    builder.redirectOutput(folder.resolve("out").toFile());
    Process process = builder.start();
    processes.add(process);
    while (!Files.exists(committed) || !Files.readString(committed).contains("split ")) {
      assertThat(process.isAlive()).as(Files.readString(folder.resolve("err"))).isTrue();
      Thread.sleep(5);
    }
    return process;
  }

  @Test
  void aKilledCopyGoesOn() throws Exception {
    Path in = csv(5000);
    Path target = folder.resolve("out.jsonl");
    Path sidecar = folder.resolve("out.jsonl.drover");
    Process killed = slowCopy(in, target, sidecar);
    killed.destroyForcibly();
    assertThat(killed.waitFor(60, SECONDS)).isTrue();
    assertThat(target).doesNotExist();
    assertThat(run("checkpoint", "show", target.toString())).as(err()).isZero();
    assertThat(out()).startsWith("copy-").contains("source " + in.toRealPath(), ": offset ");
    assertThat(run("copy", in.toString(), target.toString(), "--resume", "--json"))
        .as(err())
        .isZero();
    assertThat(out()).contains("\"resumed\":true", "\"guarantee\":\"exactly_once\"");
    assertThat(Files.readString(target)).isEqualTo(lines(5000));
    assertThat(sidecar).doesNotExist();
  }

  @Test
  void aSignalCommitsAndASecondProcessIsRefusedMeanwhile() throws Exception {
    Path in = csv(20_000);
    Path target = folder.resolve("out.jsonl");
    Path sidecar = folder.resolve("out.jsonl.drover");
    Process process = slowCopy(in, target, sidecar);
    assertThat(run("copy", in.toString(), target.toString(), "--resume")).isEqualTo(1);
    assertThat(err()).contains("target_busy");
    assertThat(process.isAlive()).isTrue();
    process.destroy();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(Files.readString(folder.resolve("err"))).contains("--resume goes on after them");
    assertThat(Files.readString(sidecar)).contains("state\tleft");
    assertThat(run("copy", in.toString(), target.toString(), "--resume")).as(err()).isZero();
    assertThat(Files.readString(target)).isEqualTo(lines(20_000));
  }

  @Test
  void putsBadRowsAside() throws IOException {
    Path in = Files.writeString(folder.resolve("in.csv"), "a,b\n1,2\n3\n4,5\n");
    Path target = folder.resolve("out.jsonl");
    Path letters = folder.resolve("bad.jsonl");
    String[] copy = {"copy", in.toString(), target.toString(), "--dead-letter", letters.toString()};
    assertThat(run(copy)).as(err()).isEqualTo(3);
    assertThat(out()).contains("copied 2 rows, dead-lettered 1,");
    assertThat(target).hasContent("{\"a\":\"1\",\"b\":\"2\"}\n{\"a\":\"4\",\"b\":\"5\"}\n");
    assertThat(Files.readString(letters))
        .startsWith("{\"code\":\"ragged_row\",\"message\":\"expected 2 fields")
        .contains("\"stage\":\"decode\",\"attempt\":1,", "\"line\":3,\"row\":\"3\"}\n");
    // Letters pile up.
    assertThat(run(copy)).isEqualTo(3);
    assertThat(Files.readAllLines(letters)).hasSize(2);
    assertThat(run("copy", in.toString(), target.toString(), "--on-reject", "skip")).isEqualTo(3);
    assertThat(out()).contains("skipped 1,");
    assertThat(run("copy", in.toString(), target.toString())).isEqualTo(1);
    assertThat(err()).contains("ragged_row", "line 3");
  }

  @Test
  void setsAnyOptionOfARoute() throws IOException {
    Path in = csv(10);
    String target = folder.resolve("out.jsonl").toString();
    assertThat(
            run(
                "copy",
                in.toString(),
                target,
                "--set",
                "retry.max_attempts=3",
                "--set",
                "max_batch_rows=2"))
        .as(err())
        .isZero();
    assertThat(run("copy", in.toString(), target, "--set", "max_batch_row=2")).isEqualTo(2);
    assertThat(err()).contains("did you mean 'max_batch_rows'?");
    assertThat(run("copy", in.toString(), target, "--set", "retry.max_attempts=0")).isEqualTo(2);
    assertThat(err()).contains("max_attempts");
    assertThat(run("copy", in.toString(), target, "--limit", "3", "--resume")).isEqualTo(2);
    assertThat(err()).contains("leave out one of limit and resume");
  }

  @Test
  void changesCheckpoints() throws Exception {
    Path in = csv(5000);
    Path target = folder.resolve("out.jsonl");
    Path sidecar = folder.resolve("out.jsonl.drover");
    Process killed = slowCopy(in, target, sidecar);
    killed.destroyForcibly();
    assertThat(killed.waitFor(60, SECONDS)).isTrue();
    String part = target.toString();
    assertThat(run("checkpoint", "set", part, "2")).as(err()).isZero();
    assertThat(out()).contains("offset 2, 0 records");
    assertThat(run("checkpoint", "set", part, "no such split", "2")).isEqualTo(2);
    assertThat(run("checkpoint", "reset", part)).isZero();
    assertThat(sidecar).doesNotExist();
    assertThat(run("checkpoint", "reset", part)).isEqualTo(1);
    assertThat(err()).contains("there is no checkpoint");
    assertThat(run("checkpoint", "show")).isZero();
    assertThat(run("checkpoint")).isEqualTo(2);
    assertThat(run("checkpoint", "shw")).isEqualTo(2);
    assertThat(run("checkpoint", "--help")).isZero();
    assertThat(out().lines()).allMatch(line -> line.length() <= 100);
  }
}
