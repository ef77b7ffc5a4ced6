package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.formats.Compression;
import dev.drover.formats.Formats;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.TestRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is written is read back equal, in every format and compression: random rows with nulls,
 * missing fields, documents and every kind of character. CSV has no types and no missing fields:
 * its texts are compared, and null is what is missing.
 */
class RoundTripTest {

  private static final long SEED = Long.getLong("drover.seed", System.nanoTime());
  private static final int ROUNDS = 6;
  private static final String NULL = "\\N";
  private static final JsonMapper JSON = new JsonMapper();

  private static final List<String> PIECES =
      List.of(
          "a",
          "\"",
          "\"\"",
          ",",
          ";",
          "\n",
          "\r\n",
          "\r",
          "\\",
          "\t",
          " ",
          "'",
          "\u0000",
          "\u001f",
          "é",
          "漢",
          "🦜",
          "\u2028",
          "\ufeff",
          "\\N",
          "null",
          "0123456789".repeat(5));

  @TempDir private Path folder;

  static Stream<Arguments> kinds() {
    return Formats.sinks().stream()
        .flatMap(
            format ->
                Stream.of(Compression.NONE, Compression.GZIP, Compression.ZSTD, Compression.LZ4)
                    .map(kind -> Arguments.of(format, kind)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("kinds")
  void readsBackWhatItWrote(String format, Compression kind) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      String seed = "-Ddrover.seed=%d, round %d".formatted(SEED, round);
      boolean csv = format.endsWith("sv");
      List<String> lines = new ArrayList<>();
      for (int i = random.nextInt(2000); i > 0; i--) {
        lines.add(row(random, csv));
      }
      Path in = folder.resolve("in.jsonl");
      Files.writeString(in, lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
      Path out = folder.resolve("out");
      Map<String, Object> written = file(out, format, "compression", kind);
      Map<String, Object> readBack = file(out, format);
      if (csv) {
        written.put("null_text", NULL);
        readBack.put("null_text", NULL);
      }
      written.put("write_mode", "replace");
      int batch = 1 + random.nextInt(300);
      check(seed, file(in, "jsonl"), written, batch);
      assertOutsideReaderAgrees(kind, out);
      if (csv) {
        if (!lines.isEmpty()) {
          Collected rows = new Collected();
          RunStatus status = run(readBack, TestRuns.collect(rows), 1000);
          assertThat(status.state()).as("%s %s", seed, status).isEqualTo(RunState.COMPLETED);
          assertThat(rows.rows()).as(seed).isEqualTo(texts(lines));
        }
        continue;
      }
      Path back = folder.resolve("back.jsonl");
      Map<String, Object> again = file(back, "raw");
      again.put("write_mode", "replace");
      check(seed, readBack, again, 1000);
      assertThat(back).as(seed).hasSameTextualContentAs(in, UTF_8);
    }
  }

  /** Envelopes keep their ids: compressed, read and written plain they are the same bytes. */
  @Test
  void envelopesStayTheSameBytes() throws IOException, InterruptedException {
    Random random = new Random(SEED);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      lines.add(row(random, false));
    }
    Path in = folder.resolve("in.jsonl");
    Files.writeString(in, String.join("\n", lines) + "\n");
    Path packed = folder.resolve("packed.zst");
    check("seed " + SEED, file(in, "jsonl"), file(packed, "normal"), 100);
    Path plain = folder.resolve("plain.txt");
    check("seed " + SEED, file(packed, "normal"), file(plain, "normal"), 1000);
    assertThat(Files.readString(plain)).contains("message_id").isEqualTo(Unpacked.text(packed));
    assertOutsideReaderAgrees(Compression.ZSTD, packed);
  }

  private static Map<String, Object> file(Path path, String format, Object... more) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("path", path.toString());
    file.put("format", format);
    for (int i = 0; i < more.length; i += 2) {
      file.put((String) more[i], more[i + 1].toString().toLowerCase(Locale.ROOT));
    }
    return file;
  }

  private static void check(
      String seed, Map<String, Object> input, Map<String, Object> output, int batch) {
    RunStatus status = run(input, Map.of("file", output), batch);
    assertThat(status.state()).as("%s %s", seed, status).isEqualTo(RunState.COMPLETED);
  }

  private static RunStatus run(Map<String, Object> input, Map<String, ?> output, int batch) {
    try (TestRuns runs = new TestRuns(new FileConnector())) {
      return runs.run(Map.of("file", input), output, "max_batch_rows", batch);
    }
  }

  /** CSV: all rows have all fields, as the columns are those of the first. */
  private static String row(Random random, boolean complete) {
    StringBuilder row = new StringBuilder("{");
    for (int f = 0; f < 5; f++) {
      if (!complete && random.nextInt(6) == 0) {
        continue;
      }
      row.append(row.length() > 1 ? "," : "").append("\"f").append(f).append("\":");
      value(random, row, 2);
    }
    return row.append('}').toString();
  }

  private static void value(Random random, StringBuilder out, int depth) {
    switch (random.nextInt(depth == 0 ? 5 : 7)) {
      case 0 -> out.append("null");
      case 1 -> out.append(random.nextInt(-1000, 1000));
      case 2 -> out.append("1234567890.").append(random.nextInt(10_000)).append("00e-7");
      case 3 -> out.append(random.nextBoolean());
      case 4 -> {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
          text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        out.append(JSON.writeValueAsString(text.toString()));
      }
      case 5 -> {
        out.append("[");
        value(random, out, depth - 1);
        out.append(",");
        value(random, out, depth - 1);
        out.append("]");
      }
      default -> {
        out.append("{\"k\\n\":");
        value(random, out, depth - 1);
        out.append("}");
      }
    }
  }

  /** What CSV holds of the rows. */
  private static List<List<@Nullable String>> texts(List<String> lines) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (String line : lines) {
      List<@Nullable String> row = new ArrayList<>();
      JsonNode fields = JSON.readTree(line);
      int at = 0;
      for (int f = 0; f < 5; f++) {
        JsonNode value = fields.get("f" + f);
        int begin = line.indexOf("\"f" + f + "\":", at) + 5;
        int end = f == 4 ? line.length() - 1 : line.indexOf(",\"f" + (f + 1) + "\":", begin);
        at = end;
        row.add(
            value.isNull()
                ? null
                : value.isString() ? value.stringValue() : line.substring(begin, end));
      }
      rows.add(row);
    }
    return rows;
  }

  /** The tool that everybody has for the format makes the same of it. */
  private void assertOutsideReaderAgrees(Compression kind, Path packed)
      throws IOException, InterruptedException {
    if (kind == Compression.NONE) {
      return;
    }
    String tool = kind.wire();
    Path unpacked = folder.resolve("unpacked");
    ProcessBuilder builder = new ProcessBuilder(tool, "-dc").redirectInput(packed.toFile());
    Process process;
    try {
      process =
          builder
              .redirectOutput(unpacked.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      System.out.println("not checked by " + tool + ", which is not there: " + e.getMessage());
      return;
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s -dc", tool).isZero();
    assertThat(Files.readString(unpacked)).isEqualTo(Unpacked.text(packed));
  }
}
