package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.connectors.file.DyingFiles.Killed;
import dev.drover.connectors.file.FileSinkConfig.Fsync;
import dev.drover.formats.SinkFormat;
import dev.drover.spi.Guarantee;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is killed before every single change that it makes to the file system, and in the
 * middle of every write; then it is started again until it is done.
 */
class CrashTest {

  private static final List<String> LINES =
      IntStream.range(0, 12).mapToObj(i -> "line " + "x".repeat(i * 7) + i).toList();

  private static final int LINES_A_WRITE = 2;
  private static final int LINES_A_COMMIT = 4;
  private static final int ROUNDS = 60;

  @TempDir Path folder;

  /**
   * A way to write.
   *
   * @param old what the file holds before; null: there is none
   * @param kept what of that stays
   */
  private record Way(
      String name,
      WriteMode mode,
      boolean endless,
      @Nullable Guarantee wanted,
      Fsync fsync,
      @Nullable String old,
      String kept) {}

  private static final List<Way> WAYS =
      List.of(
          new Way("create", WriteMode.CREATE, false, null, Fsync.NEVER, null, ""),
          new Way("create, forced", WriteMode.CREATE, false, null, Fsync.COMMIT, null, ""),
          new Way("replace nothing", WriteMode.REPLACE, false, null, Fsync.NEVER, null, ""),
          new Way("replace", WriteMode.REPLACE, false, null, Fsync.NEVER, "old\n", ""),
          new Way("append", WriteMode.APPEND, false, null, Fsync.NEVER, "old\n", "old\n"),
          new Way("append to half", WriteMode.APPEND, false, null, Fsync.NEVER, "old", "old\n"),
          new Way("append to nothing", WriteMode.APPEND, false, null, Fsync.NEVER, null, ""),
          new Way("endless create", WriteMode.CREATE, true, null, Fsync.NEVER, null, ""),
          new Way("endless replace", WriteMode.REPLACE, true, null, Fsync.NEVER, "old", ""),
          new Way("endless append", WriteMode.APPEND, true, null, Fsync.COMMIT, "old", "old\n"));

  /** The name of what is written. */
  String name() {
    return "out.jsonl";
  }

  /** What a file holds; anything if it is not whole. */
  String read(Path path) throws IOException {
    return Files.readString(path);
  }

  void write(Path path, String text) throws IOException {
    Files.writeString(path, text);
  }

  private Path target() {
    return folder.resolve(name());
  }

  private SinkRig.Run run(Way way, boolean resume) {
    return new SinkRig.Run(
        new FileSinkConfig(
            target().toString(),
            SinkFormat.of("raw"),
            null,
            way.fsync(),
            FileWriteOptions.DEFAULTS),
        new RunMode(way.endless(), true, way.wanted(), way.mode()),
        "id-1",
        "in.csv",
        resume);
  }

  private void reset(Way way) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    if (way.old() != null) {
      write(target(), way.old());
    }
  }

  /** Goes on to the end, or to death. Returns the changes made. */
  private int runOnce(Way way, DyingFiles files) {
    SinkWriter writer = null;
    boolean done = false;
    try {
      writer = SinkRig.writer(run(way, true), files::see);
      int at = SinkRig.restore(writer);
      while (at < LINES.size()) {
        int next = Math.min(LINES.size(), at + LINES_A_WRITE);
        SinkRig.write(writer, LINES.subList(at, next));
        at = next;
        if (at % LINES_A_COMMIT == 0 || at == LINES.size()) {
          SinkRig.commit(writer, at);
        }
      }
      if (!way.endless()) {
        writer.finish();
        done = true;
      }
    } catch (Killed e) {
      assertThat(files.isDead()).isTrue();
    } finally {
      if (writer != null && !done) {
        abort(writer, files);
      }
    }
    return files.steps();
  }

  private static void abort(SinkWriter writer, DyingFiles files) {
    try {
      writer.abort();
    } catch (Killed e) {
      assertThat(files.isDead()).isTrue();
    }
  }

  private void checkResult(Way way) throws IOException {
    assertThat(read(target())).isEqualTo(way.kept() + all());
    try (Stream<Path> files = Files.list(folder)) {
      List<String> names = new ArrayList<>();
      files.forEach(file -> names.add(file.getFileName().toString()));
      if (way.endless()) {
        assertThat(names).containsExactlyInAnyOrder(name(), name() + ".drover");
      } else {
        assertThat(names).containsExactly(name());
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> onceAtEveryStep() {
    return WAYS.stream().map(way -> DynamicTest.dynamicTest(way.name(), () -> onceAtEvery(way)));
  }

  private void onceAtEvery(Way way) throws IOException {
    for (boolean half : new boolean[] {false, true}) {
      int step = 0;
      boolean died = true;
      while (died) {
        step++;
        reset(way);
        DyingFiles files = new DyingFiles(step, half);
        runOnce(way, files);
        died = files.isDead();
        if (way.old() != null && !way.endless() && way.mode() == WriteMode.REPLACE) {
          assertThat(read(target())).as("step %d", step).isIn("old\n", all());
        }
        if (!isDone(way)) {
          runOnce(way, new DyingFiles(0, false));
        }
        checkResult(way);
      }
      assertThat(step).as("steps of a run").isGreaterThan(15);
    }
  }

  private static String all() {
    return String.join("\n", LINES) + "\n";
  }

  @TestFactory
  Stream<DynamicTest> whileItGivesUp() {
    return WAYS.stream().map(way -> DynamicTest.dynamicTest(way.name(), () -> givingUp(way)));
  }

  private void givingUp(Way way) throws IOException {
    for (int committed : new int[] {0, LINES_A_COMMIT}) {
      boolean died = true;
      for (int step = 1; died; step++) {
        reset(way);
        DyingFiles files = new DyingFiles(step, false);
        SinkWriter writer = SinkRig.writer(run(way, true), files::see);
        try {
          writer.restore();
          SinkRig.write(writer, LINES.subList(0, LINES_A_COMMIT));
          if (committed > 0) {
            SinkRig.commit(writer, committed);
            SinkRig.write(writer, LINES.subList(committed, committed + 1));
          }
        } catch (Killed e) {
          assertThat(files.isDead()).isTrue();
        } finally {
          abort(writer, files);
        }
        died = files.isDead();
        runOnce(way, new DyingFiles(0, false));
        checkResult(way);
      }
    }
  }

  /** A process that was killed after its last change has nothing left to do. */
  private boolean isDone(Way way) throws IOException {
    return !way.endless()
        && Files.exists(target())
        && read(target()).equals(way.kept() + all())
        && !Files.exists(folder.resolve(name() + ".drover"));
  }

  @TestFactory
  Stream<DynamicTest> againAndAgain() {
    return WAYS.stream().map(way -> DynamicTest.dynamicTest(way.name(), () -> againAndAgain(way)));
  }

  private void againAndAgain(Way way) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      reset(way);
      DyingFiles files;
      do {
        files = new DyingFiles(1 + random.nextInt(40), random.nextBoolean());
        runOnce(way, files);
      } while (files.isDead() && !isDone(way));
      checkResult(way);
    }
  }

  @TestFactory
  Stream<DynamicTest> atLeastOnceLosesNothing() {
    return Stream.of(
            new Way("append", WriteMode.APPEND, false, null, Fsync.NEVER, "old", "old\n"),
            new Way("endless append", WriteMode.APPEND, true, null, Fsync.NEVER, "old", "old\n"),
            new Way("endless create", WriteMode.CREATE, true, null, Fsync.COMMIT, null, ""),
            new Way("endless replace", WriteMode.REPLACE, true, null, Fsync.NEVER, "old", ""))
        .map(way -> DynamicTest.dynamicTest(way.name(), () -> atLeastOnce(way)));
  }

  private void atLeastOnce(Way plain) throws IOException {
    Way way =
        new Way(
            plain.name(),
            plain.mode(),
            plain.endless(),
            Guarantee.AT_LEAST_ONCE,
            plain.fsync(),
            plain.old(),
            plain.kept());
    for (boolean half : new boolean[] {false, true}) {
      boolean died = true;
      for (int step = 1; died; step++) {
        reset(way);
        DyingFiles files = new DyingFiles(step, half);
        // As the engine: the checkpoint is in its store before the sink is opened.
        int committed = rowsOnce(way, files, 0, false);
        died = files.isDead();
        if (committed < LINES.size()) {
          rowsOnce(way, new DyingFiles(0, false), committed, true);
        }
        String found = read(target());
        assertThat(found).startsWith(way.kept());
        List<String> lines = found.substring(way.kept().length()).lines().toList();
        assertThat(lines).as("step %d", step).containsAll(LINES);
        assertThat(LINES).as("torn lines at step %d", step).containsAll(lines);
      }
    }
  }

  private int rowsOnce(Way way, DyingFiles files, int from, boolean resume) {
    SinkWriter writer = SinkRig.writer(run(way, resume), files::see);
    int committed = from;
    boolean done = false;
    try {
      writer.restore();
      for (int at = from; at < LINES.size(); at += LINES_A_WRITE) {
        SinkRig.write(writer, LINES.subList(at, at + LINES_A_WRITE));
        if ((at + LINES_A_WRITE) % LINES_A_COMMIT == 0) {
          SinkRig.commit(writer, at + LINES_A_WRITE);
          committed = at + LINES_A_WRITE;
        }
      }
      if (!way.endless()) {
        writer.finish();
        done = true;
      }
    } catch (Killed e) {
      assertThat(files.isDead()).isTrue();
    } finally {
      if (!done) {
        abort(writer, files);
      }
    }
    return committed;
  }
}
