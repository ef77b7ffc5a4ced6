package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.bench.client.Digest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code drover copy} as a whole process. */
class CopyTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int code, String stderr) {}

  private static Ended copy(Path from, Path to) throws Exception {
    Process process =
        new ProcessBuilder(ServerProcess.command("copy", from.toString(), to.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String stderr = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Ended(process.exitValue(), stderr);
  }

  @ParameterizedTest
  @EnumSource
  void makesOfEveryShapeWhatDuckDbMakes(Shape shape) throws Exception {
    Input input = shape.write(folder.resolve("in.csv"), 20_000);
    Path out = folder.resolve("out.jsonl");
    Ended ended = copy(input.csv(), out);
    assertThat(ended.code()).as(ended.stderr()).isZero();
    input.check("drover copy", out);
  }

  @Test
  void replacesAFileThatIsThere() throws Exception {
    Input input = Input.fixture(folder.resolve("in.csv"), 1_000);
    Path out = folder.resolve("out.jsonl");
    assertThat(copy(input.csv(), out).code()).isZero();
    assertThat(copy(input.csv(), out).code()).isZero();
    assertThat(Digest.of(out).sha256()).isEqualTo(input.linesSha256());
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    Ended ended = copy(folder.resolve("nowhere.csv"), folder.resolve("out.jsonl"));
    assertThat(ended.code()).isBetween(1, 2);
    assertThat(ended.stderr()).contains("nowhere.csv").doesNotContain("Exception");
    assertThat(folder).isEmptyDirectory();
  }
}
