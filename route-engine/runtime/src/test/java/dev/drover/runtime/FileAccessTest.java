package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.Access.FileUse;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAccessTest {

  // Stands for the temp folder; what must be refused is outside of it.
  @TempDir Path temp;
  private Path root = Path.of("");
  private Path outside = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    Path base =
        Files.createTempDirectory(Path.of("target").toAbsolutePath(), "access").toRealPath();
    root = Files.createDirectory(base.resolve("root"));
    outside = Files.createDirectory(base.resolve("outside"));
    Files.writeString(root.resolve("in.csv"), "a\n1\n");
    Files.writeString(outside.resolve("secret.csv"), "a\n1\n");
  }

  private FileAccess fenced() {
    // The working folder of the tests holds the folders above, so it must not become a root.
    return fenced(List.of(root), Map.of("HOME", Path.of("").toAbsolutePath().toString()));
  }

  private FileAccess fenced(List<Path> roots, Map<String, String> environment) {
    try {
      return FileAccess.fenced(roots, environment, temp.toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void refused(String path, FileUse use, ErrorCode code, String... words) {
    assertThatThrownBy(() -> fenced().file(path, use))
        .isInstanceOfSatisfying(
            DroverException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              for (String word : words) {
                assertThat(e.getMessage() + " " + e.problem().suggestion()).contains(word);
              }
            });
  }

  @Test
  void allowsWhatIsInsideARoot() {
    assertThat(fenced().roots()).containsExactly(root);
    assertThat(fenced().file(root + "/in.csv", FileUse.READ)).isEqualTo(root.resolve("in.csv"));
    assertThat(fenced().file(root + "/x/../out.jsonl", FileUse.WRITE))
        .isEqualTo(root.resolve("out.jsonl"));
  }

  @Test
  void refusesWhatIsOutsideAndSaysWhatToDo() {
    refused(
        outside + "/secret.csv",
        FileUse.READ,
        ErrorCode.PATH_OUTSIDE_ROOTS,
        outside + "/secret.csv",
        root.toString(),
        "--root " + outside);
    refused(root + "/../outside/secret.csv", FileUse.READ, ErrorCode.PATH_OUTSIDE_ROOTS);
    refused("/etc/passwd", FileUse.READ, ErrorCode.PATH_OUTSIDE_ROOTS);
    refused(outside + "/new.jsonl", FileUse.WRITE, ErrorCode.PATH_OUTSIDE_ROOTS);
    // Whether a file outside exists is not told.
    refused(outside + "/no-such.csv", FileUse.READ, ErrorCode.PATH_OUTSIDE_ROOTS);
  }

  @Test
  void followsLinksBeforeItDecides() throws IOException {
    Files.createSymbolicLink(root.resolve("link.csv"), outside.resolve("secret.csv"));
    Files.createSymbolicLink(root.resolve("folder"), outside);
    Files.createSymbolicLink(root.resolve("nowhere"), outside.resolve("not-there"));
    refused(root + "/link.csv", FileUse.READ, ErrorCode.PATH_OUTSIDE_ROOTS);
    refused(root + "/link.csv", FileUse.WRITE, ErrorCode.PATH_OUTSIDE_ROOTS);
    refused(root + "/folder/secret.csv", FileUse.READ, ErrorCode.PATH_OUTSIDE_ROOTS);
    refused(root + "/folder/new.jsonl", FileUse.WRITE, ErrorCode.PATH_OUTSIDE_ROOTS);
    refused(root + "/nowhere", FileUse.WRITE, ErrorCode.ACCESS_DENIED, "symbolic link");
    // A name that only begins like the root is not inside it.
    Path sibling = Files.createDirectory(root.resolveSibling("root-2"));
    refused(sibling + "/x.jsonl", FileUse.WRITE, ErrorCode.PATH_OUTSIDE_ROOTS);
  }

  @Test
  void allowsOwnRegularFilesInTheTempFolder() throws IOException {
    Path own = Files.writeString(temp.resolve("own.csv"), "a\n");
    assertThat(fenced().file(own.toString(), FileUse.READ)).isEqualTo(own.toRealPath());
    assertThat(fenced().file(temp + "/new.jsonl", FileUse.WRITE)).isNotNull();
    Files.createSymbolicLink(temp.resolve("link"), outside.resolve("secret.csv"));
    refused(temp + "/link", FileUse.READ, ErrorCode.PATH_OUTSIDE_ROOTS);
  }

  @Test
  void namesTheNearestFile() {
    refused(root + "/inn.csv", FileUse.READ, ErrorCode.FILE_NOT_FOUND, "did you mean", "in.csv");
    refused(
        root + "/no/out.jsonl", FileUse.WRITE, ErrorCode.FILE_NOT_FOUND, "folder " + root + "/no");
    refused("", FileUse.READ, ErrorCode.INVALID_ARGUMENT);
    refused("a\0b", FileUse.READ, ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void takesNoSystemOrHomeFolderByItself() {
    FileAccess access =
        fenced(
            List.of(),
            Map.of(
                "HOME", Path.of("").toAbsolutePath().toString(), "CLAUDE_PROJECT_DIR", "/etc/ssl"));
    assertThat(access.roots()).isEmpty();
    assertThat(fenced(List.of(), Map.of("HOME", "/", "CLAUDE_PROJECT_DIR", "" + temp)).roots())
        .doesNotContain(temp);
    access = fenced(List.of(), Map.of("HOME", "/", "CLAUDE_PROJECT_DIR", "" + outside));
    assertThat(access.roots()).contains(outside);
    assertThatThrownBy(() -> FileAccess.fenced(List.of(Path.of("/no/such")), Map.of()))
        .isInstanceOf(DroverException.class)
        .hasMessageContaining("/no/such");
  }

  @Test
  void isFreeAtTheShell() {
    assertThat(FileAccess.unfenced().file(outside + "/secret.csv", FileUse.READ))
        .isEqualTo(outside.resolve("secret.csv"));
  }

  @Test
  void anAgentReadsTheVariablesThatAreAllowed() {
    FileAccess access =
        fenced().withVariables(List.of("REGION", "EMPTY"), Map.of("REGION", "eu", "TOKEN", "t0p"));
    assertThat(access.environment("REGION")).isEqualTo("eu");
    assertThatThrownBy(() -> access.environment("TOKEN"))
        .hasMessageContaining("must not read the environment variable TOKEN")
        .hasMessageNotContaining("t0p");
    assertThatThrownBy(() -> access.environment("EMPTY")).hasMessageContaining("EMPTY is not set");
    assertThatThrownBy(() -> fenced().environment("PATH"))
        .isInstanceOf(DroverException.class)
        .satisfies(
            e -> assertThat(((DroverException) e).problem().suggestion()).contains("--env PATH"));
    assertThat(FileAccess.unfenced().environment("PATH")).isEqualTo(System.getenv("PATH"));
  }
}
