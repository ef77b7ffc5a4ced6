package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drover.formats.Compression;
import dev.drover.formats.Compressor;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.testkit.RowsConnector.Then;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed files that are written, read by the tools of each kind and by ourselves. */
final class CompressedSinkTest {

  private static final List<List<String>> ONE = List.of(List.of("1"));
  private static final List<String> A = List.of("a");

  @TempDir Path folder;
  private final TestRuns runs = new TestRuns(new FileConnector());

  @AfterEach
  void close() {
    runs.close();
  }

  private Path csv(int rows, boolean wide) throws IOException {
    Random random = new Random(3);
    StringBuilder csv = new StringBuilder(wide ? "id,name,amount,more\n" : "id,n\n");
    for (int i = 0; i < rows; i++) {
      csv.append(i).append(',').append(random.nextInt(100));
      if (wide) {
        csv.append(",Name ").append(random.nextInt(500)).append(",\"{\"\"tier\"\":\"\"free\"\"}\"");
      }
      csv.append('\n');
    }
    return Files.writeString(folder.resolve("in.csv"), csv);
  }

  private static Map<String, ?> file(Path path, Object... options) {
    Map<String, Object> all = new HashMap<>();
    all.put("path", path.toString());
    for (int i = 0; i < options.length; i += 2) {
      all.put((String) options[i], options[i + 1]);
    }
    return Map.of("file", all);
  }

  private RunStatus copy(Path from, Path to, Object... options) {
    RunStatus status = runs.run(file(from), file(to, options));
    assertThat(status.error()).isNull();
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    return status;
  }

  private static String tool(String extension) {
    return Map.of("gz", "gzip", "zst", "zstd", "lz4", "lz4").getOrDefault(extension, "");
  }

  private static boolean isInstalled(String tool) {
    return Stream.of("/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin")
        .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
  }

  private Path run(Path in, String... command) throws IOException {
    Path out = folder.resolve("of-" + command[0]);
    try {
      assertThat(
              new ProcessBuilder(command)
                  .redirectInput(in.toFile())
                  .redirectOutput(out.toFile())
                  .redirectError(Redirect.DISCARD)
                  .start()
                  .waitFor())
          .isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return out;
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "lz4"})
  void theToolReadsIt(String extension) throws IOException {
    assumeTrue(isInstalled(tool(extension)), tool(extension) + " is not installed");
    Path plain = folder.resolve("out.jsonl");
    Path packed = folder.resolve("out.jsonl." + extension);
    copy(csv(60_000, true), plain);
    RunStatus status = copy(folder.resolve("in.csv"), packed);
    // What was too little for a member of its own is counted as it came.
    assertThat(status.bytesOut())
        .isBetween(Files.size(packed), Files.size(packed) + Compressor.LEAST_MEMBER_BYTES);
    assertThat(run(packed, tool(extension), "-d", "-c")).hasSameBinaryContentAs(plain);
    assertThat(Unpacked.bytes(packed)).isEqualTo(Files.readAllBytes(plain));
    Path again = folder.resolve("again.jsonl");
    copy(packed, again);
    assertThat(again).hasSameBinaryContentAs(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "lz4"})
  void isNotMuchLargerThanTheTools(String extension) throws IOException {
    assumeTrue(isInstalled(tool(extension)), tool(extension) + " is not installed");
    for (boolean wide : List.of(true, false)) {
      Path plain = folder.resolve(wide + ".jsonl");
      Path packed = folder.resolve(wide + ".jsonl." + extension);
      copy(csv(120_000, wide), plain);
      copy(folder.resolve("in.csv"), packed);
      Path theirs = run(plain, tool(extension), "-c");
      assertThat(Files.size(packed)).isLessThan(Files.size(theirs) * 11 / 10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "lz4"})
  void isAddedTo(String extension) throws IOException {
    Path packed = folder.resolve("out.jsonl." + extension);
    for (int i = 0; i < 3; i++) {
      copy(csv(10, false), packed, "write_mode", "append");
    }
    assertThat(Unpacked.lines(packed)).hasSize(30);
    copy(csv(0, false), folder.resolve("none.jsonl." + extension));
    assertThat(Unpacked.bytes(folder.resolve("none.jsonl." + extension))).isEmpty();
    assertThat(Files.size(folder.resolve("none.jsonl." + extension))).isPositive();
  }

  @Test
  void endsTheLastLineOfWhatItAddsTo() throws IOException {
    assumeTrue(isInstalled("zstd"), "zstd is not installed");
    Path text = Files.writeString(folder.resolve("text"), "{\"a\":0}");
    Path packed = folder.resolve("out.jsonl.zst");
    Files.copy(run(text, "zstd", "-c"), packed);
    assertThat(
            runs.run(TestRuns.rows(A, ONE, Then.END), file(packed, "write_mode", "append")).error())
        .isNull();
    assertThat(Unpacked.text(packed)).isEqualTo("{\"a\":0}\n{\"a\":\"1\"}\n");
  }

  @Test
  void addsNothingToWhatIsNotWhole() throws IOException {
    Path packed = folder.resolve("out.jsonl.gz");
    copy(csv(1000, true), packed);
    byte[] bytes = Files.readAllBytes(packed);
    for (byte[] other : List.of(Arrays.copyOf(bytes, bytes.length - 3), "{}\n".getBytes(UTF_8))) {
      Files.write(packed, other);
      RunStatus status =
          runs.run(TestRuns.rows(A, ONE, Then.END), file(packed, "write_mode", "append"));
      assertThat(Objects.requireNonNull(status.error()).message())
          .contains("no rows can be added", "no whole gzip file");
      assertThat(packed).hasBinaryContent(other);
    }
    Files.write(packed, bytes);
    RunStatus status =
        runs.run(
            TestRuns.rows(A, ONE, Then.END),
            file(packed, "write_mode", "append", "compression", "none"));
    assertThat(Objects.requireNonNull(status.error()).message()).contains("compressed with gzip");
    assertThat(packed).hasBinaryContent(bytes);
  }

  @Test
  void theOptionIsStrongerThanTheName() throws IOException {
    Path path = folder.resolve("out.jsonl");
    copy(csv(10, false), path, "compression", "lz4");
    assertThat(Compression.ofHead(Files.readAllBytes(path), 6)).isEqualTo(Compression.LZ4);
    assertThat(Unpacked.lines(path)).hasSize(10);
    Path named = folder.resolve("out.jsonl.gz");
    copy(csv(10, false), named, "compression", "none");
    assertThat(Files.readAllLines(named)).hasSize(10);
  }

  @Test
  void refusesWhatCannotBe() throws IOException {
    Path in = csv(1, false);
    for (Map.Entry<String, Map<String, ?>> each :
        Map.<String, Map<String, ?>>of(
                "compression_level 12 is no level of gzip",
                file(folder.resolve("a.jsonl.gz"), "compression_level", 12),
                "lz4 has no levels",
                file(folder.resolve("a.jsonl.lz4"), "compression_level", 1),
                "none has no levels",
                file(folder.resolve("a.jsonl"), "compression_level", 1),
                ".xz stands for a compression that cannot be written",
                file(folder.resolve("a.jsonl.xz"), "format", "jsonl"))
            .entrySet()) {
      String last = each.getKey().substring(each.getKey().indexOf(' ') + 1);
      assertThatThrownBy(() -> runs.start(file(in), each.getValue()))
          .isInstanceOfSatisfying(
              SpecException.class,
              e -> assertThat(e.problems().getFirst().message().replace("`", "")).contains(last));
    }
  }

  @Test
  void smallBatchesArePutTogether() throws IOException {
    List<List<String>> rows = IntStream.range(0, 5000).mapToObj(i -> List.of("row " + i)).toList();
    Path packed = folder.resolve("out.jsonl.zst");
    RunStatus status =
        runs.run(TestRuns.rows(A, rows, Then.END), file(packed), "max_batch_rows", 1);
    assertThat(status.error()).isNull();
    assertThat(Unpacked.lines(packed)).hasSize(5000);
    assertThat(Files.size(packed)).isLessThan(20_000);
  }
}
