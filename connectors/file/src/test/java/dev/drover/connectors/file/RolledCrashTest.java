package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.connectors.file.DyingFiles.Killed;
import dev.drover.connectors.file.FileSinkConfig.Fsync;
import dev.drover.formats.Compression;
import dev.drover.formats.SinkFormat;
import dev.drover.spi.RunMode;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that writes numbered files is killed before every single change that it makes to the
 * file system, and in the middle of every write; then it is started again until it is done.
 */
class RolledCrashTest {

  private static final List<String> LINES =
      IntStream.range(0, 20).mapToObj(i -> "line " + "x".repeat(i * 7) + i).toList();

  private static final int LINES_A_WRITE = 2;
  private static final int LINES_A_COMMIT = 4;
  private static final int LINES_A_FILE = 5;
  private static final int ROUNDS = 60;

  @TempDir private Path folder;

  private SinkRig.Run run(Fsync fsync) {
    FileWriteOptions roll = new FileWriteOptions(Compression.AUTO, null, false, LINES_A_FILE, 0, 0);
    return new SinkRig.Run(
        new FileSinkConfig(
            folder.resolve("out-{n}.jsonl").toString(), SinkFormat.of("raw"), null, fsync, roll),
        new RunMode(false, true, null, WriteMode.CREATE),
        "id-1",
        "in.csv",
        true);
  }

  private void reset() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private void runOnce(Fsync fsync, DyingFiles files) {
    SinkWriter writer = SinkRig.writer(run(fsync), files::see);
    boolean done = false;
    try {
      int at = SinkRig.restore(writer);
      while (at < LINES.size()) {
        int next = Math.min(LINES.size(), at + LINES_A_WRITE);
        SinkRig.write(writer, LINES.subList(at, next));
        at = next;
        if (at % LINES_A_COMMIT == 0 || at == LINES.size()) {
          SinkRig.commit(writer, at);
        }
      }
      writer.finish();
      done = true;
    } catch (Killed e) {
      assertThat(files.isDead()).isTrue();
    } finally {
      if (!done) {
        abort(writer, files);
      }
    }
  }

  private static void abort(SinkWriter writer, DyingFiles files) {
    try {
      writer.abort();
    } catch (Killed e) {
      assertThat(files.isDead()).isTrue();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** A process that was killed after its last change has nothing left to do. */
  private boolean isDone() throws IOException {
    return !names().isEmpty() && names().stream().allMatch(name -> name.endsWith(".jsonl"));
  }

  private void check() throws IOException {
    List<String> lines = new ArrayList<>();
    List<String> names = names();
    for (int i = 0; i < names.size(); i++) {
      assertThat(names.get(i)).isEqualTo("out-%06d.jsonl", i + 1);
      List<String> some = Files.readAllLines(folder.resolve(names.get(i)));
      assertThat(some).hasSizeBetween(1, LINES_A_FILE);
      lines.addAll(some);
    }
    assertThat(lines).isEqualTo(LINES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onceAtEveryStep(boolean half) throws IOException {
    for (Fsync fsync : Fsync.values()) {
      boolean died = true;
      int step = 0;
      while (died) {
        step++;
        reset();
        DyingFiles files = new DyingFiles(step, half);
        runOnce(fsync, files);
        died = files.isDead();
        if (!isDone()) {
          runOnce(fsync, new DyingFiles(0, false));
        }
        check();
      }
      assertThat(step).as("steps of a run").isGreaterThan(40);
    }
  }

  @Test
  void againAndAgain() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      reset();
      DyingFiles files;
      do {
        files = new DyingFiles(1 + random.nextInt(60), random.nextBoolean());
        runOnce(Fsync.NEVER, files);
      } while (files.isDead() && !isDone());
      check();
    }
  }
}
