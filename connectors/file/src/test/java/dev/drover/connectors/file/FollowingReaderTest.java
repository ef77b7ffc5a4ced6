package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StopMode;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is followed while it grows, and whatever else happens to it. */
class FollowingReaderTest {

  @TempDir Path folder;
  private final TestRuns runs = new TestRuns(new FileConnector());
  private final Collected collected = new Collected();
  private Path log = Path.of("");
  private int next;
  private final List<List<@Nullable String>> wanted = new ArrayList<>();

  @BeforeEach
  void begin() throws IOException {
    log = folder.resolve("log.csv");
    Files.writeString(log, "n\n");
  }

  @AfterEach
  void close() {
    runs.close();
  }

  private Run follow() {
    return runs.start(
        Map.of("file", log.toString()),
        Map.of("collect", Map.of("into", collected, "keeps", "with_checkpoint")),
        "exit_on_empty",
        false,
        "commit_interval_ms",
        1);
  }

  /** Adds rows to a file. */
  private void add(Path file, int rows) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(next).append('\n');
      wanted.add(List.of(Integer.toString(next)));
      next++;
    }
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  private void awaitAll(Run run) throws InterruptedException {
    long deadline = System.nanoTime() + TestRuns.LONG.toNanos();
    while (collected.rows().size() < wanted.size()
        && !run.status().finished()
        && System.nanoTime() < deadline) {
      Thread.sleep(2);
    }
    assertThat(run.status().error()).isNull();
    assertThat(collected.rows()).isEqualTo(wanted);
  }

  private static void stop(Run run) throws InterruptedException {
    assertThat(run.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
    assertThat(run.status().error()).isNull();
  }

  @Test
  void readsWhatIsAdded() throws Exception {
    Run run = follow();
    for (int i = 0; i < 5; i++) {
      add(log, 1 + 100 * i);
      awaitAll(run);
    }
    stop(run);
    add(log, 7);
    Run resumed = follow();
    awaitAll(resumed);
    assertThat(resumed.status().messages()).isEqualTo(7);
    stop(resumed);
  }

  @Test
  void aLastLineWaitsForItsEnd() throws Exception {
    Run run = follow();
    add(log, 2);
    Files.writeString(log, "12", StandardOpenOption.APPEND);
    awaitAll(run);
    Thread.sleep(100);
    assertThat(collected.rows()).isEqualTo(wanted);
    // Also across a stop.
    stop(run);
    Run resumed = follow();
    Files.writeString(log, "34\n", StandardOpenOption.APPEND);
    wanted.add(List.of("1234"));
    awaitAll(resumed);
    stop(resumed);
  }

  @Test
  void goesOnWithTheNextFileWhenOneIsRenamed() throws Exception {
    Run run = follow();
    add(log, 10);
    awaitAll(run);
    Path old = folder.resolve("log.csv.1");
    Files.move(log, old);
    // Who writes has not noticed yet.
    add(old, 5);
    awaitAll(run);
    Files.writeString(log, "n\n");
    add(old, 2);
    awaitAll(run);
    add(log, 20);
    awaitAll(run);
    stop(run);
  }

  @Test
  void findsARenamedFileAgainAfterAStop() throws Exception {
    Run run = follow();
    add(log, 10);
    awaitAll(run);
    stop(run);
    add(log, 3);
    Files.move(log, folder.resolve("log.csv.1"));
    Files.writeString(log, "n\n");
    add(log, 4);
    Files.setLastModifiedTime(
        log, java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() - 1000));
    Files.move(log, folder.resolve("log.csv.0"));
    Files.writeString(log, "n\n");
    Files.setLastModifiedTime(
        folder.resolve("log.csv.1"),
        java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() - 5000));
    add(log, 5);
    Run resumed = follow();
    awaitAll(resumed);
    assertThat(resumed.status().messages()).isEqualTo(12);
    stop(resumed);
    add(log, 1);
    Run again = follow();
    awaitAll(again);
    stop(again);
  }

  @Test
  void saysWhenTheRestOfAFileIsGone() throws Exception {
    Run run = follow();
    add(log, 10);
    awaitAll(run);
    stop(run);
    Path other = Files.writeString(folder.resolve("other"), "n\n99\n");
    Files.delete(log);
    Files.move(other, log);
    RunStatus status = TestRuns.await(follow());
    assertThat(status.error()).extracting(e -> e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
    assertThat(status.error()).extracting(e -> e.message()).asString().contains(log.toString());
    assertThat(collected.rows()).isEqualTo(wanted);
  }

  @Test
  void beginsAnewWhenAFileIsEmptied() throws Exception {
    Run run = follow();
    add(log, 50);
    awaitAll(run);
    Files.writeString(log, "n\n");
    add(log, 3);
    awaitAll(run);
    // Emptied and longer than before at the next look, with another head.
    Files.writeString(log, "m\n");
    add(log, 500);
    awaitAll(run);
    stop(run);
    Files.writeString(log, "k\n");
    add(log, 2);
    Run resumed = follow();
    awaitAll(resumed);
    assertThat(resumed.status().warnings()).anyMatch(text -> text.contains("rows may be lost"));
    stop(resumed);
  }

  @Test
  void waitsWhileThereIsNoFile() throws Exception {
    Run run = follow();
    add(log, 2);
    awaitAll(run);
    Files.delete(log);
    Thread.sleep(60);
    Path fresh = Files.writeString(folder.resolve("fresh"), "n\n");
    add(fresh, 4);
    Files.move(fresh, log);
    awaitAll(run);
    stop(run);
  }
}
