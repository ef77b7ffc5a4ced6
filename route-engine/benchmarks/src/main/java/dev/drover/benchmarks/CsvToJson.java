package dev.drover.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.formats.RecordReader;
import dev.drover.spi.Batch;
import dev.drover.spi.Encoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Milliseconds that one thread needs for 16 MiB of CSV from memory, in blocks of 256 KiB: {@code
 * cut} alone, {@code decode} with it, {@code endToEnd} with both to JSON lines, {@code encode}
 * alone, and FastCSV and Commons CSV for comparison.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
public class CsvToJson {

  /** The kind of file. */
  @Param public Shape shape = Shape.ORDERS;

  private final Recycler buffers = new Recycler();
  private byte[] csv = {};
  private List<Batch> batches = List.of();

  /** Makes the file and decodes it once, for {@link #encode}. */
  @Setup
  public void prepare() {
    csv = shape.csv();
    List<Batch> all = new ArrayList<>();
    // The records are never released, so the batches stay.
    read(records -> records.decode(new Batches(all)));
    batches = all;
  }

  /** Where the records end, and the separators. */
  @Benchmark
  public void cut() {
    read(RecordReader.Records::release);
  }

  /** Cut, and cells. */
  @Benchmark
  public long decode() {
    Batches counted = new Batches(new ArrayList<>());
    read(
        records -> {
          records.decode(counted);
          counted.batches().clear();
          records.release();
        });
    return counted.batches().size();
  }

  /** Cells to JSON lines. */
  @Benchmark
  public long encode() {
    Encoder encoder = Formats.encoder("jsonl", batches.getFirst().schema(), buffers);
    return encode(encoder, batches);
  }

  /** CSV to JSON lines. */
  @Benchmark
  public long endToEnd() {
    Batches decoded = new Batches(new ArrayList<>());
    Encoder encoder = Formats.encoder("jsonl", batches.getFirst().schema(), buffers);
    long[] bytes = new long[1];
    read(
        records -> {
          records.decode(decoded);
          bytes[0] += encode(encoder, decoded.batches());
          decoded.batches().clear();
          records.release();
        });
    return bytes[0];
  }

  /** CSV to strings, by Commons CSV. */
  @Benchmark
  public long decodeCommonsCsv() throws IOException {
    long length = 0;
    try (CSVParser parser =
        CSVParser.parse(
            new InputStreamReader(new ByteArrayInputStream(csv), UTF_8), CSVFormat.RFC4180)) {
      for (CSVRecord row : parser) {
        length += row.get(0).length();
      }
    }
    return length;
  }

  /** CSV to strings, by FastCSV. */
  @Benchmark
  public long decodeFastCsv() throws IOException {
    long length = 0;
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder().ofCsvRecord(new ByteArrayInputStream(csv))) {
      for (CsvRecord row : reader) {
        length += row.getField(0).length();
      }
    }
    return length;
  }

  private static long encode(Encoder encoder, List<Batch> batches) {
    long bytes = 0;
    for (Batch batch : batches) {
      EncodedBytes encoded = (EncodedBytes) encoder.encode(batch);
      bytes += encoded.length();
      encoded.release();
    }
    return bytes;
  }

  private void read(Consumer<RecordReader.Records> taker) {
    Blocks.read(csv, "csv", buffers, taker);
  }
}
