package dev.drover.connectors.file;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.StopMode;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that grow, and what log rotation does to them: no row is lost, and none comes twice. */
class FollowTest {

  private static final String HEADER = "id,text\n";
  private static final Duration SOON = Duration.ofMillis(20);

  @TempDir Path folder;
  private @Nullable SourceRig rig;
  private int touched;

  private Path path() {
    return folder.resolve("in.csv");
  }

  private Path aside(int number) {
    return folder.resolve("in.csv." + number);
  }

  private SourceRig rig() {
    if (rig == null) {
      rig = new SourceRig(path(), false, 1 << 20);
    }
    return rig;
  }

  @BeforeEach
  void begin() throws IOException {
    append(HEADER);
  }

  @AfterEach
  void close() {
    if (rig != null) {
      rig.close();
    }
  }

  private void append(String text) throws IOException {
    append(path(), text);
  }

  private void append(Path file, String text) throws IOException {
    Files.writeString(file, text, CREATE, APPEND);
    touch(file);
  }

  /** Times of their own for all changes, whatever the clock of the file system can tell apart. */
  private void touch(Path file) throws IOException {
    Instant time = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(touched++);
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  /** Puts the file aside under a name; what was aside already moves up. */
  private void shift() throws IOException {
    int last = 1;
    while (Files.exists(aside(last))) {
      last++;
    }
    for (int number = last; number > 1; number--) {
      Files.move(aside(number - 1), aside(number));
    }
  }

  private void rotate() throws IOException {
    shift();
    Files.move(path(), aside(1));
  }

  private void copyAndTruncate() throws IOException {
    shift();
    Files.copy(path(), aside(1));
    touch(aside(1));
    truncate();
  }

  private void truncate() throws IOException {
    FileChannel.open(path(), StandardOpenOption.WRITE).truncate(0).close();
    touch(path());
  }

  private void rows(String... expected) {
    rig().readAll();
    assertThat(rig().rows).containsExactly(expected);
    assertThat(rig().rejected).isEmpty();
  }

  /** The same after a restart from the last offset. */
  private void rowsAfterRestart(String... expected) {
    rig().restart();
    rows(expected);
  }

  @Test
  void handsRowsOnWhenNoMoreCome() throws IOException {
    append("1,a\n");
    assertThat(rig().look(Duration.ZERO)).as("it may go on at once").isFalse();
    assertThat(rig().look(SOON)).isTrue();
    assertThat(rig().rows).containsExactly("1,a");
    append("2,b\n3,");
    assertThat(rig().look(SOON)).isFalse();
    assertThat(rig().look(SOON)).isTrue();
    rows("1,a", "2,b");
    append("c\n");
    rows("1,a", "2,b", "3,c");
    rowsAfterRestart("1,a", "2,b", "3,c");
    append("4,d\n");
    rows("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void waitsForTheEndOfALine() throws IOException {
    append("1,\"two\nlin");
    rows();
    rowsAfterRestart();
    append("es\"\r");
    rows();
    append("\n2,b\n");
    rows("1,two\nlines", "2,b");
  }

  @Test
  void waitsForTheHeader() throws IOException {
    Files.writeString(path(), "\n\nid,te");
    rows();
    append("xt\n1,a\n");
    rows("1,a");
    rowsAfterRestart("1,a");
  }

  @Test
  void readsAHeaderAfterBlankLinesAlsoWhenResumed() throws IOException {
    Files.writeString(path(), "\n\n");
    rows();
    rig().restart();
    append("id,text\n1,a\n");
    rows("1,a");
  }

  @Test
  void readsWithAByteOrderMark() throws IOException {
    Files.writeString(path(), "\ufeffid,text\n1,a\n");
    rows("1,a");
    rowsAfterRestart("1,a");
    append("2,b\n");
    rows("1,a", "2,b");
    rotate();
    append("\ufeffid,text\n3,c\n");
    rowsAfterRestart("1,a", "2,b", "3,c");
  }

  @Test
  void growsForALargeRecord() throws IOException {
    String large = "x".repeat(700_000);
    rig = new SourceRig(path(), false, 1);
    append("1," + large.substring(9));
    rows();
    append("y".repeat(9) + "\n2,b\n");
    rows("1," + large.substring(9) + "y".repeat(9), "2,b");
    rowsAfterRestart("1," + large.substring(9) + "y".repeat(9), "2,b");
  }

  @Test
  void beginsAgainWhenTheFileIsEmptied() throws IOException {
    append("1,a\n2,b\n");
    rows("1,a", "2,b");
    truncate();
    rows("1,a", "2,b");
    append(HEADER + "3,c\n");
    rows("1,a", "2,b", "3,c");
    rowsAfterRestart("1,a", "2,b", "3,c");
  }

  @Test
  void noticesThatItWasEmptiedAndHasGrownFurther() throws IOException {
    append("1,a\n2,b\n");
    rows("1,a", "2,b");
    truncate();
    append(HEADER + "3,c\n4,d\n5,e\n6,f\n");
    rows("1,a", "2,b", "3,c", "4,d", "5,e", "6,f");
    rowsAfterRestart("1,a", "2,b", "3,c", "4,d", "5,e", "6,f");
  }

  @Test
  void noticesThatUnderAHeaderThatIsLongerThanWhatIsRemembered() throws IOException {
    String header = "id," + "t".repeat(FileMark.HEAD_BYTES + 5) + "\n";
    Files.writeString(path(), header + "1,a\n");
    rows("1,a");
    truncate();
    append(header + "3,c\n4,d\n");
    rows("1,a", "3,c", "4,d");
  }

  @Test
  void readsTheRestInTheCopy() throws IOException {
    append("1,a\n");
    rows("1,a");
    append("2,b\n");
    copyAndTruncate();
    append(HEADER + "3,c\n");
    rows("1,a", "2,b", "3,c");
    append("4,d\n");
    copyAndTruncate();
    append(HEADER + "5,e\n");
    rowsAfterRestart("1,a", "2,b", "3,c", "4,d", "5,e");
  }

  @Test
  void followsTheNameThroughRotations() throws IOException {
    append("1,a\n");
    rows("1,a");
    append("2,b\n");
    rotate();
    rows("1,a", "2,b");
    append(aside(1), "3,c\n");
    append(HEADER);
    rows("1,a", "2,b", "3,c");
    append("4,d\n");
    rows("1,a", "2,b", "3,c", "4,d");
    rowsAfterRestart("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void staysWithAFileThatIsStillWritten() throws IOException {
    append("1,a\n");
    rows("1,a");
    rotate();
    append("text,id\ne,5\n");
    for (int i = 2; i < 5; i++) {
      append(aside(1), i + ",b\n");
      rig().look(Duration.ofMillis(300));
      rig().look(Duration.ofMillis(100));
    }
    rows("1,a", "2,b", "3,b", "4,b", "e,5");
  }

  @Test
  void completesALastLineWhenTheFileIsPutAside() throws IOException {
    append("1,a\n2,b");
    rows("1,a");
    rotate();
    rows("1,a");
    append(HEADER + "3,c\n");
    rows("1,a", "2,b", "3,c");
    rowsAfterRestart("1,a", "2,b", "3,c");
  }

  @Test
  void findsFilesThatCameAndWentBetweenTwoLooks() throws IOException {
    append("1,a\n");
    rows("1,a");
    append("2,b\n");
    for (int i = 3; i < 7; i++) {
      rotate();
      append(HEADER + i + ",x\n");
    }
    rows("1,a", "2,b", "3,x", "4,x", "5,x", "6,x");
  }

  @Test
  void goesOnInTheFileThatWasPutAsideMeanwhile() throws IOException {
    append("1,a\n");
    rows("1,a");
    append("2,b\n");
    rotate();
    append(HEADER + "3,c\n");
    rotate();
    append(HEADER + "4,d\n");
    rowsAfterRestart("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void knowsNamesWithDates() throws IOException {
    append("1,a\n");
    rows("1,a");
    append("2,b\n");
    Files.move(path(), folder.resolve("in-20260101.csv"));
    append(HEADER + "3,c\n");
    Files.move(path(), folder.resolve("in.csv-2026-01-02T10:00"));
    append(folder.resolve("in.csv.bak"), HEADER + "99,other\n");
    append(folder.resolve("in-2026.txt"), HEADER + "98,other\n");
    append(HEADER + "4,d\n");
    rowsAfterRestart("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void readsAReplacedFileToItsEnd() throws IOException {
    append("1,a\n2,b\n");
    rig().look(SOON);
    append("3,c\n");
    Path other = folder.resolve("new");
    append(other, HEADER + "4,d\n");
    Files.move(other, path(), REPLACE_EXISTING);
    rows("1,a", "2,b", "3,c", "4,d");
    rowsAfterRestart("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void waitsWhileTheNameIsFree() throws IOException {
    append("1,a\n");
    rows("1,a");
    Files.delete(path());
    rows("1,a");
    append(HEADER);
    rows("1,a");
    append("2,b\n");
    rows("1,a", "2,b");
  }

  private void refusedToGoOn(String... words) {
    assertThatThrownBy(() -> rig().restart())
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
              String told = e.getMessage() + "; " + e.problem().suggestion();
              assertThat(told).contains("may be lost", "checkpoint reset").contains(words);
            });
  }

  @Test
  void refusesToGoOnInAFileThatIsGone() throws IOException {
    append("1,a\n");
    rows("1,a");
    Path other = folder.resolve("new");
    append(other, HEADER + "2,b\n");
    Files.move(other, path(), REPLACE_EXISTING);
    refusedToGoOn("in.csv");
  }

  @Test
  void refusesToGoOnInAFileThatWasEmptied() throws IOException {
    append("1,a\n");
    rows("1,a");
    truncate();
    append(HEADER + "2,b\n3,c\n");
    refusedToGoOn("in.csv");
  }

  @Test
  void refusesToSkipAFileThatWasCompressed() throws IOException {
    append("1,a\n");
    rows("1,a");
    rotate();
    append(HEADER + "2,b\n");
    rotate();
    Files.move(aside(1), folder.resolve("in.csv.1.gz"));
    append(HEADER + "3,c\n");
    assertThatThrownBy(() -> rig().readAll())
        .isInstanceOfSatisfying(
            DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED))
        .hasMessageContaining("in.csv.1.gz");
  }

  @Test
  void takesTheOnlyCopyForTheFile() throws IOException {
    append("1,a\n");
    rows("1,a");
    Path copy = folder.resolve("copy");
    Files.copy(path(), copy, COPY_ATTRIBUTES);
    Files.move(copy, path(), REPLACE_EXISTING);
    append("2,b\n");
    rowsAfterRestart("1,a", "2,b");
  }

  @Test
  void takesAPlainNumberForAPlaceInTheFile() throws IOException {
    append("1,a\n2,b\n");
    rig().restart(Integer.toString(HEADER.length() + 4));
    rows("2,b");
    assertThatThrownBy(() -> rig().restart("4000"))
        .isInstanceOfSatisfying(
            DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED));
  }

  @Test
  void wakesUpAtOnce() throws Exception {
    rig().readAll();
    Thread waiting = Thread.currentThread();
    Thread waker =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (waiting.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                  }
                  rig().reader().wakeUp();
                });
    assertThat(rig().reader().read(Duration.ofSeconds(60))).isNull();
    waker.join();
    rig().close();
    rig().reader().wakeUp();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 400, 1 << 20})
  void losesAndRepeatsNothingWhateverHappens(int maxBatchBytes) throws IOException {
    for (int round = 0; round < 60; round++) {
      for (Path file : files()) {
        Files.delete(file);
      }
      append(HEADER);
      Random random = new Random(31L * round + maxBatchBytes);
      rig = new SourceRig(path(), false, maxBatchBytes);
      List<String> written = new ArrayList<>();
      boolean open = false;
      boolean copied = false;
      for (int step = 0; step < 60; step++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3 -> {
            for (int i = random.nextInt(30); i >= 0; i--) {
              String row = written.size() + "," + "v".repeat(random.nextInt(40));
              append((open ? "\n" : "") + row);
              open = random.nextBoolean();
              append(open ? "" : "\n");
              written.add(row);
            }
          }
          case 4 -> {
            rotate();
            append(HEADER);
            open = false;
          }
          case 5 -> {
            // What was never seen, and is copied, cannot be told from what was.
            rig.readAll();
            if (rowsInFile()) {
              append((open ? "\n" : "") + written.size() + ",copied\n");
              written.add(written.size() + ",copied");
              copyAndTruncate();
              append(HEADER);
              open = false;
              copied = true;
            }
          }
          case 6 -> {
            if (!rig.offsets.isEmpty()) {
              // Behind a header alone, one filling of a file cannot be told from the next.
              int most = copied ? 1 : Math.min(3, rig.offsets.size());
              rig.restart(rig.offsets.get(rig.offsets.size() - 1 - random.nextInt(most)));
            }
          }
          default -> {
            for (int i = random.nextInt(5); i >= 0; i--) {
              rig.look(Duration.ofMillis(random.nextInt(400)));
            }
          }
        }
      }
      append(open ? "\n" : "");
      rig.readAll();
      assertThat(firstDifference(rig.rows, written)).as("round %d", round).isEmpty();
      assertThat(rig.rejected).isEmpty();
      rig.close();
    }
  }

  private static String firstDifference(List<String> found, List<String> expected) {
    for (int i = 0; i < Math.max(found.size(), expected.size()); i++) {
      String is = i < found.size() ? found.get(i) : "nothing";
      String should = i < expected.size() ? expected.get(i) : "nothing";
      if (!is.equals(should)) {
        return "row %d is %s and should be %s".formatted(i, is, should);
      }
    }
    return "";
  }

  /** Whether the last offset is behind a row of the file that has the name. */
  private boolean rowsInFile() throws IOException {
    return Files.readString(path()).lines().count() > 2 && !rig().rows.isEmpty();
  }

  private List<Path> files() throws IOException {
    try (var all = Files.list(folder)) {
      return all.toList();
    }
  }

  @Test
  void aRouteFollowsAndResumes() throws Exception {
    Collected collected = new Collected();
    Map<String, ?> input = Map.of("file", path().toString());
    Map<String, ?> output =
        Map.of("collect", Map.of("into", collected, "keeps", "with_checkpoint"));
    append("1,a\n");
    try (TestRuns runs = new TestRuns(new FileConnector())) {
      for (int restart = 0; restart < 3; restart++) {
        Run run = runs.start(input, output, "exit_on_empty", false, "commit_interval_ms", 1);
        append((restart + 2) + ",b\n");
        while (collected.rows().size() < restart + 2) {
          Thread.onSpinWait();
        }
        assertThat(run.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
        assertThat(run.status().error()).isNull();
        assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
      }
    }
    assertThat(collected.rows())
        .isEqualTo(
            List.of(List.of("1", "a"), List.of("2", "b"), List.of("3", "b"), List.of("4", "b")));
  }
}
