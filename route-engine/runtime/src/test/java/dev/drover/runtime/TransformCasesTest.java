package dev.drover.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.RecordReader;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;
import dev.drover.transforms.Chain;
import dev.drover.transforms.Infer;
import dev.drover.transforms.Place;
import dev.drover.transforms.Profile;
import dev.drover.transforms.Transform;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rows, transforms and what comes of them, from the files under {@code transforms}: each case is
 * run with all rows in one batch, and with a row a batch.
 */
class TransformCasesTest {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  static Stream<Arguments> cases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    for (String file : List.of("cast", "filter", "select", "others", "infer")) {
      try (InputStream in =
          TransformCasesTest.class.getResourceAsStream("/transforms/" + file + ".json")) {
        for (JsonNode one : MAPPER.readTree(in)) {
          cases.add(Arguments.of(file + ": " + one.get("name").asString(), one));
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void comesOutAsItShould(String name, JsonNode one) {
    check(one, 1024, json -> json);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void comesOutTheSameRowByRow(String name, JsonNode one) {
    // A field that comes late is last then.
    check(one, 1, MAPPER::readTree);
  }

  private static void check(JsonNode one, int batchRows, Function<String, ?> form) {
    Result result = new Result();
    String error = "";
    try {
      apply(one, batchRows, result);
    } catch (DroverException e) {
      error = shown(e.problem());
    } catch (SpecException e) {
      error = shown(e.problems().getFirst());
    }
    if (one.has("error")) {
      assertThat(error).contains(one.get("error").asString());
      return;
    }
    assertThat(error).isEmpty();
    assertThat(result.rows.stream().map(form).toList())
        .isEqualTo(texts(one.get("expected")).stream().map(form).toList());
    List<String> refused = one.has("refused") ? texts(one.get("refused")) : List.of();
    assertThat(result.refused).hasSameSizeAs(refused);
    for (int i = 0; i < refused.size(); i++) {
      assertThat(result.refused.get(i)).contains(refused.get(i));
    }
  }

  private static String shown(Problem problem) {
    return problem.message() + " " + problem.suggestion();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }

  private static void apply(JsonNode one, int batchRows, Result result) {
    String format =
        List.of("csv", "jsonl", "raw", "normal").stream()
            .filter(one::has)
            .findFirst()
            .orElseThrow();
    byte[] input = one.get(format).asString().getBytes(UTF_8);
    List<Transform> transforms = transforms(one.get("transforms"));
    for (int i = 0; i < transforms.size(); i++) {
      if (transforms.get(i) instanceof Infer) {
        Profile profile = new Profile();
        read(format, input, batchRows, new Result(transforms.subList(0, i), profile::add));
        transforms.set(i, profile.cast());
      }
    }
    result.chain = new Chain(transforms, result::refuse);
    read(format, input, batchRows, result);
  }

  private static List<Transform> transforms(JsonNode given) {
    List<Problem> problems = new ArrayList<>();
    Object tree = MAPPER.convertValue(given, Object.class);
    List<TransformSpec> specs =
        new TransformReader(new ConfigBinder(problems)).read(tree, "/transforms");
    if (!problems.isEmpty()) {
      throw new SpecException(problems);
    }
    List<Transform> transforms = new ArrayList<>();
    transforms.add(Transform.decodePayloads());
    specs.forEach(spec -> transforms.addAll(spec.create(FileAccess.unfenced())));
    return transforms;
  }

  private static void read(String format, byte[] input, int batchRows, Result result) {
    RecordReader reader =
        Formats.reader(
            FormatOptions.of(format).withMaxBatchRows(batchRows), Buffers.heap(), warning -> {});
    byte[] block = java.util.Arrays.copyOf(input, input.length + Batch.PADDING);
    assertThat(reader.cut(block, input.length, true)).isEqualTo(input.length);
    reader.take().decode(result);
  }

  /** Takes what is decoded through the chain. */
  private static final class Result implements Decoded {
    final List<String> rows = new ArrayList<>();
    final List<String> refused = new ArrayList<>();
    private final Consumer<Batch> out;
    private Chain chain;
    private long seen;

    Result() {
      out = this::encode;
      chain = new Chain(List.of(), this::refuse);
    }

    Result(List<Transform> transforms, Consumer<Batch> out) {
      this.out = out;
      chain = new Chain(transforms, this::refuse);
    }

    @Override
    public void batch(Batch batch) {
      Batch result = chain.apply(batch, new Place("split", "split", 0));
      seen += batch.rows();
      if (result.rows() > 0) {
        out.accept(result);
      }
    }

    private void encode(Batch batch) {
      EncodedBytes bytes =
          (EncodedBytes) Formats.encoder("jsonl", batch.schema(), Buffers.heap()).encode(batch);
      new String(bytes.array(), 0, bytes.length(), UTF_8).lines().forEach(rows::add);
    }

    private void refuse(Batch batch, int row, dev.drover.spi.ErrorCode code, String message) {
      refused.add("record %d: %s".formatted(seen + row + 1, message));
    }

    @Override
    public void reject(RejectedRow row) {
      seen++;
      refused.add("record %d: %s".formatted(seen, row.message()));
    }

    @Override
    public void advanced(long records, long lines) {
      assertThat(records).isEqualTo(seen);
    }
  }
}
