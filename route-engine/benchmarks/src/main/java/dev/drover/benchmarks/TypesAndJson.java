package dev.drover.benchmarks;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.formats.JsonScanner;
import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoder;
import dev.drover.transforms.Chain;
import dev.drover.transforms.Place;
import dev.drover.transforms.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Milliseconds that one thread needs for the rows of 16 MiB of CSV: their JSON lines scanned
 * ({@code scan}) and decoded ({@code decodeLines}), their types found ({@code infer}) and given
 * ({@code cast}), and typed rows written as JSON lines ({@code encodeTyped}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
public class TypesAndJson {

  private static final int DEPTH = 100;

  private final Recycler buffers = new Recycler();
  private final List<Batch> texts = new ArrayList<>();
  private final List<Batch> typed = new ArrayList<>();
  private Profile profile = new Profile();
  private byte[] lines = {};
  private int length;

  /** Makes the rows in each of their forms. */
  @Setup
  public void prepare() {
    Blocks.read(Shape.ORDERS.csv(), "csv", buffers, records -> records.decode(new Batches(texts)));
    texts.forEach(Batch::cells);
    texts.forEach(profile::add);
    Chain chain = chain();
    for (Batch batch : texts) {
      Batch cast = chain.apply(batch, Place.NOWHERE);
      // The next one takes the arrays of the last.
      long[] cells = cast.cells().clone();
      typed.add(new Batch(cast.schema(), cast.rows(), cast.arena(), cells, cast.marks()));
    }
    byte[] all = new byte[64 << 20];
    Encoder encoder = Formats.encoder("jsonl", texts.getFirst().schema(), buffers);
    for (Batch batch : texts) {
      EncodedBytes encoded = (EncodedBytes) encoder.encode(batch);
      System.arraycopy(encoded.array(), 0, all, length, encoded.length());
      length += encoded.length();
      encoded.release();
    }
    lines = Arrays.copyOf(all, length + Batch.PADDING);
  }

  private Chain chain() {
    return new Chain(
        List.of(profile.cast()),
        (batch, row, code, message) -> {
          throw new DroverException(code, message);
        });
  }

  /** JSON lines, to where each ends. */
  @Benchmark
  public int scan() {
    JsonScanner scanner = new JsonScanner(lines, DEPTH);
    int rows = 0;
    int at = 0;
    while (at < length) {
      at = scanner.space(scanner.value(at, length), length);
      rows++;
    }
    return rows;
  }

  /** JSON lines to cells. */
  @Benchmark
  public int decodeLines() {
    int[] rows = new int[1];
    Batches batches = new Batches(new ArrayList<>());
    Blocks.read(
        Arrays.copyOf(lines, length),
        "jsonl",
        buffers,
        records -> {
          records.decode(batches);
          rows[0] += batches.batches().size();
          batches.batches().clear();
          records.release();
        });
    return rows[0];
  }

  /** What types the texts have. */
  @Benchmark
  public long infer() {
    Profile found = new Profile();
    texts.forEach(found::add);
    return found.rows();
  }

  /** Texts to their types. */
  @Benchmark
  public long cast() {
    Chain chain = chain();
    long rows = 0;
    for (Batch batch : texts) {
      rows += chain.apply(batch, Place.NOWHERE).rows();
    }
    return rows;
  }

  /** Typed rows to JSON lines. */
  @Benchmark
  public long encodeTyped() {
    Encoder encoder = Formats.encoder("jsonl", typed.getFirst().schema(), buffers);
    long bytes = 0;
    for (Batch batch : typed) {
      EncodedBytes encoded = (EncodedBytes) encoder.encode(batch);
      bytes += encoded.length();
      encoded.release();
    }
    return bytes;
  }
}
