package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoder;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads CSV from memory as a file connector and the engine do, and keeps everything it gets. */
final class CsvFeed implements Decoded {

  /** What stands for a null in {@link #rows}. */
  static final String NULL = "(null)";

  final HeapBuffers buffers = new HeapBuffers();
  final List<List<String>> rows = new ArrayList<>();
  final List<RejectedRow> rejected = new ArrayList<>();
  final List<Problem> warnings = new ArrayList<>();

  /** The rows as JSON, made of their cells. */
  final ByteArrayOutputStream json = new ByteArrayOutputStream();

  /** The same, where rows that were JSON are copied as they stood. */
  final ByteArrayOutputStream copied = new ByteArrayOutputStream();

  final List<Integer> borders = new ArrayList<>();
  @Nullable Schema schema;
  int batches;
  int largestBatch;
  final List<Long> repaired = new ArrayList<>();
  long records;
  long lines;

  private final FormatOptions options;
  private final boolean skipRejected;
  private boolean keepRows = true;
  private Maker maker = Formats::reader;

  /** Makes the reader. */
  interface Maker {
    RecordReader reader(FormatOptions options, Buffers buffers, Consumer<Problem> warn);
  }

  /** Reads with Apache Commons CSV, whatever the dialect is. */
  static final Maker COMMONS =
      (options, buffers, warn) -> new CommonsCsvReader(CsvDialects.of(options), buffers, warn);

  /** Reads with another reader. */
  CsvFeed by(Maker other) {
    maker = other;
    return this;
  }

  CsvFeed(FormatOptions options, boolean skipRejected) {
    this.options = options;
    this.skipRejected = skipRejected;
  }

  /** Keeps only the JSON. */
  CsvFeed withoutRows() {
    keepRows = false;
    return this;
  }

  /** All in one read; fails on a rejected row. */
  static CsvFeed of(byte[] csv, FormatOptions options) {
    CsvFeed feed = new CsvFeed(options, false);
    feed.read(csv, at -> csv.length);
    return feed;
  }

  /**
   * @param next the end of the read that begins at an index
   */
  void read(byte[] csv, IntUnaryOperator next) {
    read(maker.reader(options, buffers, warnings::add), csv, 0, next);
  }

  /** Goes on at a record border: takes the header from the start, a few bytes at a time. */
  void readFrom(byte[] csv, int from, IntUnaryOperator next) {
    RecordReader reader = maker.reader(options, buffers, warnings::add);
    byte[] start = buffers.bytes(csv.length + Batch.PADDING);
    System.arraycopy(csv, 0, start, 0, csv.length);
    int length = 0;
    int after = -1;
    while (after < 0 && length < csv.length) {
      length = Math.min(csv.length, next.applyAsInt(length));
      after = reader.header(start, length, length == csv.length);
    }
    buffers.give(start);
    if (after > 0) {
      read(reader, csv, from, next);
    }
  }

  private void read(RecordReader reader, byte[] csv, int from, IntUnaryOperator next) {
    byte[] block = buffers.bytes(Batch.PADDING);
    int length = 0;
    int at = from;
    boolean end = false;
    while (!end) {
      int to = Math.min(csv.length, next.applyAsInt(at));
      end = to == csv.length;
      if (length + to - at + Batch.PADDING > block.length) {
        byte[] larger = buffers.bytes(2 * (length + to - at) + Batch.PADDING);
        System.arraycopy(block, 0, larger, 0, length);
        buffers.give(block);
        block = larger;
      }
      System.arraycopy(csv, at, block, length, to - at);
      length += to - at;
      at = to;
      int border = reader.cut(block, length, end);
      if (border > 0) {
        borders.add(at - length + border);
        byte[] rest = buffers.bytes(Math.max(length - border, 1) + Batch.PADDING);
        System.arraycopy(block, border, rest, 0, length - border);
        RecordReader.Records taken = reader.take();
        try {
          taken.decode(this);
        } finally {
          taken.release();
        }
        block = rest;
        length -= border;
      }
    }
    buffers.give(block);
  }

  @Override
  public void batch(Batch batch) {
    schema = batch.schema();
    batches++;
    largestBatch = Math.max(largestBatch, batch.rows());
    Encoder encoder = Formats.encoder("jsonl", batch.schema(), buffers);
    write(encoder, batch.texts() == null ? batch : withoutTexts(batch), json);
    write(encoder, batch, copied);
    for (int row = 0; keepRows && row < batch.rows(); row++) {
      List<String> values = new ArrayList<>();
      for (int field = 0; field < batch.schema().size(); field++) {
        String text = batch.text(row, field);
        values.add(text == null ? NULL : text);
      }
      rows.add(values);
    }
  }

  private static Batch withoutTexts(Batch batch) {
    return new Batch(batch.schema(), batch.rows(), batch.arena(), batch.cells(), batch.marks());
  }

  private static void write(Encoder encoder, Batch batch, ByteArrayOutputStream out) {
    EncodedBytes encoded = (EncodedBytes) encoder.encode(batch);
    out.write(encoded.array(), 0, encoded.length());
    encoded.release();
  }

  @Override
  public void reject(RejectedRow row) {
    RejectedRow placed =
        new RejectedRow(
            row.code(),
            row.record() + records,
            row.line() + lines,
            row.column(),
            row.message(),
            row.suggestion(),
            row.row());
    rejected.add(placed);
    if (!skipRejected) {
      String message =
          "line %d, column %d (record %d): %s"
              .formatted(placed.line(), placed.column(), placed.record(), placed.message());
      throw new DroverException(
          new Problem(placed.code(), "", message, placed.suggestion(), List.of()));
    }
  }

  @Override
  public void repaired(long line) {
    repaired.add(lines + line);
  }

  @Override
  public void advanced(long moreRecords, long moreLines) {
    records += moreRecords;
    lines += moreLines;
  }

  List<String> names() {
    return schema == null ? List.of() : schema.fields().stream().map(f -> f.name()).toList();
  }
}
