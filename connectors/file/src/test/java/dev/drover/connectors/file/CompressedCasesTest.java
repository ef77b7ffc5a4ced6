package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StopMode;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cases in {@code cases/compressed}: NAME.csv.EXT must give NAME.expected.jsonl, or fail as
 * NAME.error says. Where a case allows two outcomes, ours is the error.
 */
final class CompressedCasesTest {

  private static final Path CASES = Path.of("src/test/resources/cases/compressed");
  private static final Pattern ALTERNATIVES = Pattern.compile("\\[([^]]*)]");

  @TempDir Path folder;
  private final TestRuns runs = new TestRuns(new FileConnector());

  @AfterEach
  void close() {
    runs.close();
    assertThat(threads()).isEmpty();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("drover-ahead"))
        .toList();
  }

  static Stream<String> files() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.contains(".csv."))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void fromAFile(String file) {
    check(file, CASES.resolve(file).toAbsolutePath(), "auto");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void whateverTheNameSays(String file) throws IOException {
    Path other = folder.resolve("other.csv");
    Files.copy(CASES.resolve(file), other);
    // Without a name and without a byte, nothing tells that it should be gzip.
    check(file, other, Files.size(other) == 0 ? "gzip" : "auto");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void fromAPipe(String file) throws Exception {
    check(file, pipe(file, Integer.MAX_VALUE), "auto");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void fromAPipeOneByteAtATime(String file) throws Exception {
    check(file, pipe(file, 1), "auto");
  }

  /** A pipe with the name of the case, and somebody who writes the case into it. */
  private Path pipe(String file, int most) throws Exception {
    Path pipe = folder.resolve(file);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    byte[] bytes = Files.readAllBytes(CASES.resolve(file));
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (OutputStream out = Files.newOutputStream(pipe)) {
                for (int at = 0; at < bytes.length; ) {
                  int count = Math.min(most, bytes.length - at);
                  out.write(bytes, at, count);
                  at += count;
                }
              } catch (IOException e) {
                // The reader has seen enough.
              }
            });
    return pipe;
  }

  private void check(String file, Path path, String compression) {
    String name = file.substring(0, file.indexOf('.'));
    Collected collected = new Collected();
    RunStatus status =
        runs.run(
            Map.of("file", Map.of("path", path.toString(), "compression", compression)),
            TestRuns.collect(collected));
    Problem error = status.error();
    if (Files.exists(CASES.resolve(name + ".error"))) {
      assertThat(status.state()).isEqualTo(RunState.FAILED);
      assertThat(error).isNotNull();
      if (error != null) {
        assertThat(error.code()).isIn(ErrorCode.CORRUPT_INPUT, ErrorCode.LIMIT_EXCEEDED);
        assertMentions(error.message(), name);
        assertThat(error.message()).startsWith(path.toString());
      }
      return;
    }
    assertThat(error).isNull();
    assertThat(status.state()).isEqualTo(RunState.COMPLETED);
    assertThat(collected.rows()).isEqualTo(expected(name));
  }

  private static List<List<@Nullable String>> expected(String name) {
    JsonMapper mapper = new JsonMapper();
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Stream<String> lines = Files.lines(CASES.resolve(name + ".expected.jsonl"))) {
      lines.forEach(
          line -> {
            List<@Nullable String> row = new ArrayList<>();
            for (JsonNode value : mapper.readTree(line)) {
              row.add(value.stringValue());
            }
            rows.add(row);
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  private static void assertMentions(String message, String name) {
    String lower = message.toLowerCase(Locale.ROOT);
    Matcher groups;
    try {
      groups = ALTERNATIVES.matcher(Files.readString(CASES.resolve(name + ".error")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    while (groups.find()) {
      List<String> any = List.of(groups.group(1).toLowerCase(Locale.ROOT).split("\\|", -1));
      if (any.stream().noneMatch(lower::contains)) {
        fail("<%s> mentions none of %s", message, any);
      }
    }
  }

  @Test
  void bombsAreStoppedByALimit() {
    RunStatus status =
        runs.run(
            Map.of(
                "file",
                Map.of(
                    "path",
                    CASES.resolve("gz_bomb_64mib_field.csv.gz").toString(),
                    "max_decompressed_bytes",
                    1_000_000)),
            TestRuns.collect(new Collected()));
    assertThat(Objects.requireNonNull(status.error()).message()).contains("max_decompressed_bytes");
  }

  @Test
  void aStopEndsTheThreadThatWaitsForAPipe() throws Exception {
    Path pipe = folder.resolve("slow.csv.gz");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var run =
        runs.start(
            Map.of("file", Map.of("path", pipe.toString())), TestRuns.collect(new Collected()));
    try (OutputStream out = Files.newOutputStream(pipe)) {
      out.write(0x1f);
      out.flush();
      run.stop(StopMode.NOW, Duration.ofSeconds(10));
      assertThat(TestRuns.await(run).state()).isEqualTo(RunState.STOPPED);
    }
  }

  @Test
  void resumesInTheMiddle() throws IOException {
    for (String file :
        List.of(
            "lz4_plain.csv.lz4",
            "zst_two_frames.csv.zst",
            "gz_three_members_one_byte_reads.csv.gz")) {
      Path path = CASES.resolve(file).toAbsolutePath();
      SourceRig whole = new SourceRig(path, true, 2000);
      whole.readAll();
      whole.close();
      assertThat(whole.rows).hasSizeGreaterThan(1000);
      for (String offset : whole.offsets) {
        SourceRig rig = new SourceRig(path, true, 2000);
        rig.readAll();
        rig.finished = false;
        rig.restart(offset);
        rig.readAll();
        assertThat(rig.rows).as(offset).isEqualTo(whole.rows);
        rig.close();
      }
    }
  }

  @Test
  void isNotFollowed() throws IOException {
    Path path = folder.resolve("plain.name.csv");
    Files.copy(CASES.resolve("zst_two_frames.csv.zst"), path);
    RunStatus status =
        runs.run(
            Map.of("file", Map.of("path", path.toString())),
            TestRuns.collect(new Collected()),
            "exit_on_empty",
            false);
    Problem error = Objects.requireNonNull(status.error());
    assertThat(error.code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
    assertThat(error.message()).contains("zstd", "cannot be followed");
  }
}
