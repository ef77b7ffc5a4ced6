package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {

  private static final Checkpoint ODD =
      new Checkpoint(
          "a-1",
          "C:\\new\tfolder\r\nsecond line",
          7,
          Map.of(
              new Split("with\ttab and \\ and é"), "1 2 x 3 4 5",
              new Split("a b"), "",
              new Split(""), "crc32c 00000000"),
          Map.of("length", "12", "split x", "y\tz"));

  @TempDir private @Nullable Path folder;
  private @Nullable StateFolder state;

  @BeforeEach
  void open() {
    state = new StateFolder(Objects.requireNonNull(folder).resolve("deep").resolve("state"));
  }

  private StateFolder state() {
    return Objects.requireNonNull(state);
  }

  private Path file() {
    return state().root().resolve("checkpoints").resolve("a-1.checkpoint");
  }

  @Test
  void keepsWhatItIsGiven() {
    assertThat(state().load("a-1")).isNull();
    assertThat(state().ids()).isEmpty();
    assertThat(state().remove("a-1")).isFalse();
    state().save(ODD);
    assertThat(state().load("a-1")).isEqualTo(ODD);
    Checkpoint moved = ODD.with(Map.of(new Split("s"), "9"), Map.of());
    state().save(moved);
    assertThat(state().load("a-1")).isEqualTo(moved);
    assertThat(state().ids()).containsExactly("a-1");
    assertThat(state().remove("a-1")).isTrue();
    assertThat(state().load("a-1")).isNull();
  }

  @Test
  void refusesWhatIsNotWhole() throws IOException {
    state().save(ODD);
    byte[] whole = Files.readAllBytes(file());
    for (int length = 0; length < whole.length; length++) {
      Files.write(file(), java.util.Arrays.copyOf(whole, length));
      assertBroken("cut off at " + length);
    }
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      Files.write(file(), changed);
      assertBroken("changed at " + i);
    }
    Files.writeString(file(), "drover-checkpoint 2\nanything\n");
    assertThatThrownBy(() -> state().load("a-1")).hasMessageContaining("newer version");
  }

  private void assertBroken(String what) {
    assertThatThrownBy(() -> state().load("a-1"))
        .as(what)
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_BROKEN);
              assertThat(e.getMessage()).contains(file().toString());
              assertThat(e.problem().suggestion()).contains("drover checkpoint reset");
            });
  }

  @Test
  void aCheckpointHasOneHolder() {
    CheckpointStore.Hold hold = state().hold("a-1");
    StateFolder other = new StateFolder(state().root());
    assertThatThrownBy(() -> other.hold("a-1"))
        .isInstanceOfSatisfying(
            DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TARGET_BUSY));
    other.hold("a-2").close();
    hold.close();
    other.hold("a-1").close();
  }

  @Test
  void isForItsOwnerAlone() throws IOException {
    state().save(ODD);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state().root())))
        .isEqualTo("rwx------");
  }

  @Test
  void isWhereTheEnvironmentSays() {
    assertThat(StateFolder.of(Map.of("DROVER_STATE_DIR", "/a/b", "XDG_STATE_HOME", "/c")).root())
        .isEqualTo(Path.of("/a/b"));
    assertThat(StateFolder.of(Map.of("XDG_STATE_HOME", "/c", "HOME", "/h")).root())
        .isEqualTo(Path.of("/c/drover"));
    assertThat(StateFolder.of(Map.of("XDG_STATE_HOME", "relative", "HOME", "/h")).root())
        .isEqualTo(Path.of("/h/.local/state/drover"));
  }
}
