package dev.drover.connectors.file;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.connectors.file.FileSinkConfig.Fsync;
import dev.drover.formats.SinkFormat;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.spi.RunMode;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.WriteMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a sink finds at its target, and what it refuses to touch. */
class TargetTest {

  @TempDir Path folder;
  private final List<SinkWriter> open = new ArrayList<>();

  private static RunMode mode(
      boolean endless, boolean resumable, @Nullable Guarantee wanted, WriteMode write) {
    return new RunMode(endless, resumable, wanted, write);
  }

  private static final RunMode PLAIN = mode(false, false, null, WriteMode.CREATE);
  private static final RunMode PLAIN_REPLACE = mode(false, false, null, WriteMode.REPLACE);
  private static final RunMode PLAIN_APPEND = mode(false, false, null, WriteMode.APPEND);
  private static final RunMode PART = mode(false, true, null, WriteMode.CREATE);
  private static final RunMode PART_REPLACE = mode(false, true, null, WriteMode.REPLACE);
  private static final RunMode ONCE = mode(true, true, null, WriteMode.APPEND);
  private static final RunMode ROWS = mode(true, true, Guarantee.AT_LEAST_ONCE, WriteMode.APPEND);

  private Path target() {
    return folder.resolve("out.jsonl");
  }

  private Path part() {
    return folder.resolve("out.jsonl.part");
  }

  private Path sidecar() {
    return folder.resolve("out.jsonl.drover");
  }

  private SinkRig.Run run(RunMode mode, Path path, String id, boolean resume) {
    return new SinkRig.Run(
        new FileSinkConfig(
            path.toString(), SinkFormat.of("raw"), null, Fsync.NEVER, FileWriteOptions.DEFAULTS),
        mode,
        mode.resumable() ? id : "",
        "source of " + id,
        resume);
  }

  private SinkWriter writer(RunMode mode, Path path, String id, boolean resume) {
    SinkWriter writer = SinkRig.writer(run(mode, path, id, resume));
    open.add(writer);
    return writer;
  }

  /** As the engine makes it: a sink with a checkpoint is always told to go on. */
  private SinkWriter writer(RunMode mode) {
    return writer(mode, target(), "abc", mode.resumable() && mode.wanted() == null);
  }

  private void abort(SinkWriter writer) {
    open.remove(writer);
    writer.abort();
  }

  private @Nullable Destination finish(SinkWriter writer) {
    open.remove(writer);
    return writer.finish();
  }

  /** A run that was stopped after it had committed a line. */
  private void stopped(RunMode mode) {
    SinkWriter writer = writer(mode);
    writer.restore();
    SinkRig.write(writer, List.of("one"));
    SinkRig.commit(writer, 1);
    SinkRig.write(writer, List.of("lost"));
    abort(writer);
  }

  private ErrorCode refused(SinkWriter writer, String... words) {
    Refusal refusal = new Refusal();
    assertThatThrownBy(writer::restore)
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> {
              refusal.code = e.code();
              assertThat(e.getMessage() + "; " + e.problem().suggestion())
                  .satisfies(
                      text -> List.of(words).forEach(word -> assertThat(text).contains(word)));
            });
    abort(writer);
    return refusal.code;
  }

  private static final class Refusal {
    ErrorCode code = ErrorCode.INTERNAL;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @AfterEach
  void letGo() {
    open.forEach(SinkWriter::abort);
  }

  @Test
  void keepsRowsAsTheRunNeeds() {
    Map<RunMode, CommitMode> expected =
        Map.of(
            PLAIN,
            CommitMode.AT_END,
            PLAIN_REPLACE,
            CommitMode.AT_END,
            PLAIN_APPEND,
            CommitMode.ROWS,
            PART,
            CommitMode.WITH_CHECKPOINT,
            PART_REPLACE,
            CommitMode.WITH_CHECKPOINT,
            ONCE,
            CommitMode.WITH_CHECKPOINT,
            ROWS,
            CommitMode.ROWS,
            mode(true, false, null, WriteMode.APPEND),
            CommitMode.ROWS,
            mode(false, true, null, WriteMode.APPEND),
            CommitMode.WITH_CHECKPOINT,
            mode(false, true, Guarantee.AT_LEAST_ONCE, WriteMode.APPEND),
            CommitMode.ROWS);
    FileSinkConfig config =
        new FileSinkConfig(
            target().toString(),
            SinkFormat.of("raw"),
            null,
            Fsync.NEVER,
            FileWriteOptions.DEFAULTS);
    expected.forEach(
        (mode, how) ->
            assertThat(new FileSink(config, new SinkRig.Reach(path -> path), mode).commitMode())
                .as(mode.toString())
                .isEqualTo(how));
  }

  @Test
  void anOptionWinsOverTheRunsWriteMode() throws IOException {
    Files.writeString(target(), "old\n");
    FileSinkConfig config =
        new FileSinkConfig(
            target().toString(),
            SinkFormat.of("raw"),
            WriteMode.REPLACE,
            Fsync.COMMIT,
            FileWriteOptions.DEFAULTS);
    SinkWriter writer = SinkRig.writer(new SinkRig.Run(config, PLAIN, "", "s", false));
    writer.restore();
    SinkRig.write(writer, List.of("new"));
    assertThat(writer.finish()).isEqualTo(new Destination(target().toString(), true));
    assertThat(target()).hasContent("new\n");
  }

  @Test
  void aFreshRunThrowsTheLeftoversOfADeadOneAway() throws IOException {
    stopped(PART);
    assertThat(names()).contains("out.jsonl.drover", "out.jsonl.part");
    SinkWriter writer = writer(PLAIN);
    assertThat(writer.restore()).isEmpty();
    assertThat(sidecar()).doesNotExist();
    SinkRig.write(writer, List.of("new"));
    finish(writer);
    assertThat(target()).hasContent("new\n");
    assertThat(names()).containsExactly("out.jsonl");
  }

  @Test
  void aResumedRunThrowsThePartOfAPlainOneAway() throws IOException {
    Files.writeString(part(), "left by a plain run");
    SinkWriter writer = writer(PART);
    assertThat(writer.restore()).isEmpty();
    SinkRig.write(writer, List.of("new"));
    SinkRig.commit(writer, 1);
    finish(writer);
    assertThat(target()).hasContent("new\n");
  }

  @Test
  void eachWriterRaisesTheEpoch() throws IOException {
    stopped(ONCE);
    stopped(ONCE);
    Committed last = Committed.parse(Files.readString(sidecar()), sidecar());
    assertThat(last.checkpoint().epoch()).isEqualTo(2);
    assertThat(last.checkpoint().source()).isEqualTo("source of abc");
  }

  @Test
  void nothingIsLeftOfARunThatCommittedNothing() throws IOException {
    for (RunMode mode : List.of(PLAIN, PART, ONCE, mode(true, true, null, WriteMode.CREATE))) {
      SinkWriter writer = writer(mode);
      writer.restore();
      SinkRig.write(writer, List.of("lost"));
      abort(writer);
      assertThat(names()).as(mode.toString()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "REPLACE"})
  void endlessRunsWriteTheFileAtOnce(WriteMode how) throws IOException {
    RunMode endless = mode(true, true, null, how);
    if (how == WriteMode.REPLACE) {
      Files.writeString(target(), "old\n");
    }
    SinkWriter writer = writer(endless);
    writer.restore();
    assertThat(target()).isEmptyFile();
    SinkRig.write(writer, List.of("one"));
    SinkRig.commit(writer, 1);
    assertThat(target()).hasContent("one\n");
    abort(writer);
    SinkWriter again = writer(endless);
    assertThat(SinkRig.restore(again)).isEqualTo(1);
    assertThat(target()).hasContent("one\n");
    abort(again);
    // Another route's file is there now.
    if (how == WriteMode.CREATE) {
      assertThat(refused(writer(endless, target(), "other", true)))
          .isEqualTo(ErrorCode.CHECKPOINT_MISMATCH);
      Files.delete(sidecar());
      assertThatThrownBy(() -> writer(endless)).hasMessageContaining("exists already");
    }
  }

  @Test
  void aStoppedAtLeastOnceRunDoesNotTakeSomebodyElsesFile() throws IOException {
    RunMode create = mode(true, true, Guarantee.AT_LEAST_ONCE, WriteMode.CREATE);
    Files.writeString(target(), "somebody else's");
    assertThatThrownBy(() -> writer(create)).hasMessageContaining("exists already");
    // The first half line was there before the run, even if it is told to go on.
    SinkWriter writer = writer(ROWS, target(), "abc", true);
    writer.restore();
    SinkRig.write(writer, List.of("new"));
    writer.commit(Map.of());
    assertThat(target()).hasContent("somebody else's\nnew\n");
  }

  @Test
  void cutsItsOwnTornLineOff() throws IOException {
    SinkWriter writer = writer(ROWS, target(), "abc", false);
    writer.restore();
    SinkRig.write(writer, List.of("one"));
    writer.commit(Map.of());
    abort(writer);
    Files.writeString(target(), "two\nhal".repeat(40_000), APPEND);
    SinkWriter again = writer(ROWS, target(), "abc", true);
    again.restore();
    assertThat(Files.readString(target())).endsWith("haltwo\n").startsWith("one\ntwo\n");
  }

  @Test
  void marksTheCheckpointOfAnotherRunWhenItAppends() throws IOException {
    stopped(ONCE);
    // As if it had been killed.
    Committed open =
        Committed.parse(Files.readString(sidecar()), sidecar()).with(Committed.State.OPEN);
    Files.writeString(sidecar(), open.text());
    SinkWriter plain = writer(PLAIN_APPEND);
    plain.restore();
    SinkRig.write(plain, List.of("between"));
    finish(plain);
    assertThat(target()).hasContent("one\nbetween\n");
    assertThat(refused(writer(ONCE), "out.jsonl", "checkpoint reset"))
        .isEqualTo(ErrorCode.TARGET_CHANGED);
    assertThat(target()).hasContent("one\nbetween\n");
  }

  @Test
  void refusesWhatBelongsToAnotherCheckpoint() throws IOException {
    stopped(PART);
    for (RunMode mode : List.of(PART, PART_REPLACE, ONCE, ROWS)) {
      assertThat(
              refused(
                  writer(mode, target(), "other", true),
                  "source of abc",
                  "source of other",
                  "checkpoint reset"))
          .as(mode.toString())
          .isEqualTo(ErrorCode.CHECKPOINT_MISMATCH);
    }
    assertThat(part()).hasContent("one\n");
    SinkWriter again = writer(PART);
    assertThat(SinkRig.restore(again)).isEqualTo(1);
  }

  @Test
  void refusesATornSidecarOfAnyLength() throws IOException {
    for (RunMode mode : List.of(PART, ONCE)) {
      stopped(mode);
      String text = Files.readString(sidecar());
      for (int length = 0; length < text.length(); length++) {
        Files.writeString(sidecar(), text.substring(0, length));
        assertThat(refused(writer(mode), "out.jsonl.drover"))
            .isEqualTo(ErrorCode.CHECKPOINT_BROKEN);
      }
      Files.write(sidecar(), new byte[] {(byte) 0xff, 0});
      assertThat(refused(writer(mode))).isEqualTo(ErrorCode.CHECKPOINT_BROKEN);
      Files.writeString(sidecar(), text);
      SinkWriter again = writer(mode);
      assertThat(SinkRig.restore(again)).isEqualTo(1);
      abort(again);
      Files.delete(sidecar());
      Files.deleteIfExists(part());
      Files.deleteIfExists(target());
    }
  }

  @Test
  void refusesAFileThatSomebodyHasEdited() throws IOException {
    for (RunMode mode : List.of(PART, ONCE)) {
      stopped(mode);
      Path file = mode.equals(PART) ? part() : target();
      for (String edited : List.of("", "one", "0ne\n", "one\nmore\n")) {
        Files.writeString(file, edited);
        assertThat(refused(writer(mode), "out.jsonl", "checkpoint reset"))
            .as("%s holding %s", file, edited)
            .isEqualTo(ErrorCode.TARGET_CHANGED);
        assertThat(file).hasContent(edited);
      }
      Files.delete(file);
      assertThat(refused(writer(mode), "is gone")).isEqualTo(ErrorCode.TARGET_CHANGED);
      Files.delete(sidecar());
    }
  }

  @Test
  void refusesACreatedNameThatSomebodyTookMeanwhile() throws IOException {
    stopped(PART);
    Files.writeString(target(), "somebody else's");
    assertThat(refused(writer(PART), "write_mode")).isEqualTo(ErrorCode.FILE_EXISTS);
    assertThat(target()).hasContent("somebody else's");
    assertThat(part()).hasContent("one\n");
  }

  @Test
  void isFencedOffWhenTheCheckpointMoves() throws IOException {
    SinkWriter writer = writer(ONCE);
    writer.restore();
    SinkRig.write(writer, List.of("one"));
    SinkRig.commit(writer, 1);
    SinkRig.write(writer, List.of("two"));
    Path other = Files.writeString(folder.resolve("other"), Files.readString(sidecar()));
    Files.delete(sidecar());
    Files.move(other, sidecar());
    assertThatThrownBy(() -> SinkRig.commit(writer, 2))
        .isInstanceOfSatisfying(
            DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    abort(writer);
    assertThat(sidecar()).exists();
  }

  @Test
  void noticesThatTheFileWasMovedAway() throws IOException {
    for (RunMode mode : List.of(ONCE, ROWS)) {
      SinkWriter writer = writer(mode);
      writer.restore();
      SinkRig.write(writer, List.of("one"));
      Files.move(target(), folder.resolve("moved"));
      assertThatThrownBy(() -> SinkRig.commit(writer, 1))
          .isInstanceOfSatisfying(
              DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TARGET_CHANGED));
      open.remove(writer);
      try {
        writer.abort();
      } catch (DroverException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.TARGET_CHANGED);
      }
      Files.deleteIfExists(sidecar());
      Files.delete(folder.resolve("moved"));
    }
  }

  @Test
  void aSecondNameLeftByAKilledRunIsNotEmptied() throws IOException {
    Files.writeString(target(), "complete\n");
    Files.createLink(part(), target());
    SinkWriter writer = writer(PLAIN_REPLACE);
    writer.restore();
    SinkRig.write(writer, List.of("new"));
    assertThat(target()).hasContent("complete\n");
    abort(writer);
    assertThat(names()).containsExactly("out.jsonl");
    assertThat(target()).hasContent("complete\n");
  }

  @Test
  void followsNoLinks() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "old");
    Files.createSymbolicLink(folder.resolve("out.jsonl.drover.tmp"), victim);
    stopped(PART);
    assertThat(victim).hasContent("old");
    Files.delete(sidecar());
    Files.delete(part());
    Files.createSymbolicLink(sidecar(), victim);
    assertThat(refused(writer(PART))).isEqualTo(ErrorCode.IO_ERROR);
    Files.delete(sidecar());
    Files.createSymbolicLink(part(), victim);
    assertThat(refused(writer(PART))).isEqualTo(ErrorCode.IO_ERROR);
    assertThat(refused(writer(PLAIN))).isEqualTo(ErrorCode.IO_ERROR);
    assertThat(victim).hasContent("old");
  }

  @Test
  void aFailedWriteLeavesNothingBehind() throws IOException {
    for (RunMode mode : List.of(PLAIN, PLAIN_APPEND, ROWS)) {
      DyingFiles files = DyingFiles.failing(2);
      SinkWriter writer =
          SinkRig.writer(run(mode, target(), mode.resumable() ? "" : "abc", false), files::see);
      writer.restore();
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> SinkRig.write(writer, List.of("a long line to be torn")))
            .isInstanceOf(DroverException.class);
      }
      SinkRig.write(writer, List.of("short"));
      writer.commit(Map.of());
      writer.finish();
      assertThat(target()).as(mode.toString()).hasContent("short\n");
      Files.delete(target());
    }
  }

  @Test
  void takesBackWhatWasNotCommitted() throws IOException {
    Files.writeString(target(), "old\n");
    SinkWriter writer = writer(PLAIN_APPEND);
    writer.restore();
    SinkRig.write(writer, List.of("one"));
    writer.commit(Map.of());
    SinkRig.write(writer, List.of("two"));
    abort(writer);
    assertThat(target()).hasContent("old\none\n");
  }

  @Test
  void refusesASecondRunByWhateverName() throws IOException {
    Files.writeString(target(), "old\n");
    Path link = Files.createLink(folder.resolve("link.jsonl"), target());
    for (RunMode first : List.of(PLAIN_REPLACE, PART_REPLACE, ONCE, ROWS, PLAIN_APPEND)) {
      SinkWriter holder = writer(first);
      holder.restore();
      SinkRig.write(holder, List.of("one"));
      List<String> before = names();
      for (Path path : List.of(target(), link)) {
        for (RunMode second : List.of(PLAIN_REPLACE, PART_REPLACE, ONCE, ROWS, PLAIN_APPEND)) {
          assertThat(refused(writer(second, path, "other", true), "another run"))
              .as("%s after %s at %s", second, first, path)
              .isEqualTo(ErrorCode.TARGET_BUSY);
        }
      }
      assertThat(names()).isEqualTo(before);
      abort(holder);
      Files.deleteIfExists(sidecar());
    }
    assertThat(target()).hasContent("old\n");
  }

  /** Holds a target until its input ends. */
  public static void main(String[] arguments) throws IOException {
    SinkWriter writer =
        SinkRig.writer(
            new SinkRig.Run(
                new FileSinkConfig(
                    arguments[0],
                    SinkFormat.of("raw"),
                    null,
                    Fsync.NEVER,
                    FileWriteOptions.DEFAULTS),
                new RunMode(
                    Boolean.parseBoolean(arguments[1]),
                    true,
                    null,
                    WriteMode.valueOf(arguments[2])),
                "child",
                "child",
                true));
    try {
      writer.restore();
      SinkRig.write(writer, List.of("one"));
      SinkRig.commit(writer, 1);
      SinkRig.write(writer, List.of("two"));
      System.out.println("held");
      System.in.read();
    } catch (DroverException e) {
      System.out.println(e.code());
    }
    Runtime.getRuntime().halt(0);
  }

  private Process child(boolean endless, WriteMode mode) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            TargetTest.class.getName(),
            target().toString(),
            Boolean.toString(endless),
            mode.name())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String answer(Process child) throws IOException {
    BufferedReader lines = child.inputReader(StandardCharsets.UTF_8);
    return String.valueOf(lines.readLine());
  }

  @Test
  void anotherProcessIsNoticedAndItsDeathToo() throws Exception {
    Process child = child(false, WriteMode.CREATE);
    try {
      assertThat(answer(child)).isEqualTo("held");
      assertThat(refused(writer(PART))).isEqualTo(ErrorCode.TARGET_BUSY);
      assertThat(refused(writer(PLAIN))).isEqualTo(ErrorCode.TARGET_BUSY);
      assertThat(part()).hasContent("one\ntwo\n");
    } finally {
      child.destroyForcibly().waitFor();
    }
    SinkWriter writer = writer(PART, target(), "child", true);
    assertThat(SinkRig.restore(writer)).isEqualTo(1);
    assertThat(part()).hasContent("one\n");
  }

  @Test
  void aRefusedRunOfThisProcessDoesNotLetAnotherProcessIn() throws Exception {
    SinkWriter holder = writer(ONCE);
    holder.restore();
    SinkRig.write(holder, List.of("one"));
    assertThat(refused(writer(PLAIN_APPEND))).isEqualTo(ErrorCode.TARGET_BUSY);
    Process child = child(true, WriteMode.APPEND);
    try {
      assertThat(answer(child)).isEqualTo("TARGET_BUSY");
    } finally {
      child.destroyForcibly().waitFor();
    }
  }
}
