package dev.drover.bench.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drover.runtime.StoredSplit;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.ErrorCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process has left is not as it was: the next one says so and touches nothing. */
class RestartTest {
  private static final int ROWS = 3000;
  private static final int ROWS_PER_SECOND = 10_000;
  private static final int COMMITS = 5;

  @TempDir private Path temp = Path.of("");
  private Path woven = Path.of("");
  private Path folder = Path.of("");
  private final Ledger ledger = noLedger();

  private static Ledger noLedger() {
    try {
      return Ledger.open();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void weave() throws IOException {
    woven = temp.resolve("woven");
    Weaver.write(woven);
    folder = temp.toRealPath().resolve("round");
  }

  @AfterEach
  void close() throws IOException {
    ledger.close();
  }

  private Scenario scenario(int number) {
    return Scenario.all(ledger).get(number);
  }

  private Scenario csvToNewFile() {
    return scenario(0);
  }

  private Scenario staticToNewFile() {
    return scenario(1);
  }

  private Scenario atLeastOnceToGrowingFile() {
    return scenario(3);
  }

  private Round round(Scenario scenario) throws IOException {
    return new Round(scenario, woven, folder, ROWS);
  }

  /** A route that was killed when it had committed some rows. */
  private Round half(Scenario scenario, String point) throws Exception {
    Round round = round(scenario);
    assertThat(round.start(new KillPlan.AtPoint(point, COMMITS, false), ROWS_PER_SECOND).kill())
        .isNotNull();
    return round;
  }

  /** By name, all but what the harness itself writes. */
  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString();
        if (!name.equals(Child.ROUTE) && !name.equals(Child.LOG)) {
          byte[] content = Files.readAllBytes(file);
          files.put(name, content.length + " bytes, hash " + Arrays.hashCode(content));
        }
      }
    }
    return files;
  }

  private String refused(Round round, ErrorCode code) throws IOException {
    Map<String, String> before = files();
    String message = breach(round);
    assertThat(message).contains(code.name());
    assertThat(files()).as("nothing is touched").isEqualTo(before);
    return message;
  }

  private static String breach(Round round) {
    BreachException refused =
        catchThrowableOfType(BreachException.class, () -> round.start(new KillPlan.Never(), 0));
    assertThat(refused).as("it is refused").isNotNull();
    return String.valueOf(refused.getMessage());
  }

  private void refusedWhereverCut(Round round, Path checkpoint) throws IOException {
    byte[] whole = Files.readAllBytes(checkpoint);
    for (int length : new int[] {0, 10, whole.length / 2, whole.length - 1}) {
      Files.write(checkpoint, Arrays.copyOf(whole, length));
      assertThat(refused(round, ErrorCode.CHECKPOINT_BROKEN))
          .as("%d of %d bytes", length, whole.length)
          .contains(checkpoint.toString());
    }
    Files.write(checkpoint, whole);
  }

  private Path part() {
    return folder.resolve("out.jsonl.part");
  }

  private void goesOn(Round round) throws Exception {
    assertThat(round.start(new KillPlan.Never(), 0).kill()).isNull();
    assertThat(round.kept(round.compare())).isTrue();
  }

  @Test
  void aTornSidecarIsRefused() throws Exception {
    Round round = half(csvToNewFile(), "sidecar renamed");
    refusedWhereverCut(round, folder.resolve("out.jsonl.drover"));
    goesOn(round);
  }

  @Test
  void aTornCheckpointOfTheStateFolderIsRefused() throws Exception {
    Round round = half(atLeastOnceToGrowingFile(), "checkpoint renamed");
    Path checkpoint;
    try (Stream<Path> all = Files.list(folder.resolve("state/checkpoints"))) {
      checkpoint = all.findFirst().orElseThrow();
    }
    refusedWhereverCut(round, checkpoint);
    goesOn(round);
  }

  @Test
  void aPartOfAnotherRouteIsRefusedWithBothNamed() throws Exception {
    Round other = half(csvToNewFile(), "sidecar renamed");
    String message = refused(round(staticToNewFile()), ErrorCode.CHECKPOINT_MISMATCH);
    assertThat(message).contains(" of " + Feed.csv(folder)).contains(" of static");
    goesOn(other);
  }

  @Test
  void anOutputThatSomebodyHasEditedIsRefused() throws Exception {
    Round round = half(csvToNewFile(), "sidecar renamed");
    try (RandomAccessFile edited = new RandomAccessFile(part().toFile(), "rw")) {
      edited.seek(2);
      edited.write('X');
      refused(round, ErrorCode.TARGET_CHANGED);
      edited.seek(2);
      edited.write('i');
      edited.setLength(100);
    }
    assertThat(refused(round, ErrorCode.TARGET_CHANGED)).contains("has 100 bytes");
  }

  @Test
  void aSourceThatHasChangedIsRefusedWithBothNamed() throws Exception {
    Round round = half(csvToNewFile(), "sidecar renamed");
    Checkpoint before = sidecar();
    byte[] rows = committed(before);
    Files.writeString(Feed.csv(folder), "4000,later,row\n", StandardOpenOption.APPEND);
    assertThat(breach(round))
        .contains(ErrorCode.SOURCE_CHANGED.name())
        .contains(Feed.csv(folder).toString())
        .contains("it was " + fingerprint(before));
    // The target was opened before the source was compared, and closed again.
    assertThat(sidecar().splits()).isEqualTo(before.splits());
    assertThat(committed(sidecar())).isEqualTo(rows);
    assertThat(folder.resolve("out.jsonl")).doesNotExist();
  }

  private Checkpoint sidecar() throws IOException {
    Path sidecar = folder.resolve("out.jsonl.drover");
    return Checkpoint.parse(Files.readString(sidecar), sidecar.toString());
  }

  private byte[] committed(Checkpoint checkpoint) throws IOException {
    int length = Integer.parseInt(checkpoint.attributes().getOrDefault("length", ""));
    return Arrays.copyOf(Files.readAllBytes(part()), length);
  }

  private static String fingerprint(Checkpoint checkpoint) {
    return StoredSplit.parse(checkpoint.splits().values().iterator().next()).fingerprint();
  }
}
