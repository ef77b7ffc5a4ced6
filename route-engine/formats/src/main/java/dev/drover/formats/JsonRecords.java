package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines that are JSON objects. Every value is a field of type JSON, its text as it stands; the
 * block becomes the arena. The schema of a batch has the keys of its rows in the order in which
 * they come.
 *
 * <p>Rows mostly have the same keys in the same places, so the field that came after this one in
 * the row before is tried first.
 */
final class JsonRecords implements RecordReader.Records {

  private static final int MAX_BATCH_CELLS = 1 << 17;
  private static final int FIRST_STRIDE = 8;

  private final byte[] block;
  private final int from;
  private final int to;
  private final Buffers buffers;
  private final FormatOptions options;
  private final boolean overrun;
  private final JsonScanner scanner;
  private final List<long[]> takenCells = new ArrayList<>();
  private final List<byte[]> takenMarks = new ArrayList<>();

  private long records;
  private long lines;

  // The batch that is being filled: `stride` cells a row, of which as many are used as there are
  // keys.
  private final List<byte[]> keys = new ArrayList<>();
  private final Map<String, Integer> fields = new HashMap<>();
  private int stride;
  private int rows;
  private boolean marked;
  private long[] cells = {};
  private byte[] marks = {};

  JsonRecords(
      byte[] block, int from, int to, FormatOptions options, Buffers buffers, boolean overrun) {
    this.block = block;
    this.from = from;
    this.to = to;
    this.options = options;
    this.buffers = buffers;
    this.overrun = overrun;
    this.scanner = new JsonScanner(block, options.maxDepth());
  }

  @Override
  public void decode(Decoded out) {
    int invalid = Utf8.firstInvalid(block, from, to);
    int start = from;
    while (start < to) {
      int end = start;
      while (end < to && block[end] != '\n') {
        end++;
      }
      boolean broken = invalid >= 0 && invalid < end;
      if (end - start > options.maxRecordBytes()) {
        String why =
            "the record is longer than `max_record_bytes` (%,d)"
                .formatted(options.maxRecordBytes());
        refuse(out, start, end, new Fault(ErrorCode.LIMIT_EXCEEDED, start, why));
      } else if (broken) {
        RejectedRow row = CsvText.encoding(block, start, invalid, records + 1, lines + 1);
        emit(out);
        out.reject(row.withRow(block, start, end));
        records++;
      } else if (scanner.space(start, end) < end) {
        row(out, start, end);
      }
      if (broken) {
        int next = Utf8.firstInvalid(block, end, to);
        invalid = next;
      }
      lines += end < to ? 1 : 0;
      start = end + 1;
    }
    emit(out);
    out.advanced(records, lines);
  }

  private record Fault(ErrorCode code, int at, String why) {}

  private void refuse(Decoded out, int start, int end, Fault fault) {
    emit(out);
    records++;
    RejectedRow row =
        new RejectedRow(
            fault.code(),
            records,
            lines + 1,
            1 + Utf8.codePoints(block, start, fault.at()),
            fault.why());
    out.reject(row.withRow(block, start, end));
    if (overrun && end == to) {
      // Whatever the policy is: there is no telling where the next record begins.
      throw new DroverException(row.code(), row.message());
    }
  }

  private void row(Decoded out, int start, int end) {
    beginRow(out);
    int known = keys.size();
    if (fill(start, end)) {
      endRow(out);
    } else {
      forget(known);
      refuse(
          out, start, end, new Fault(ErrorCode.INVALID_JSON, scanner.errorAt(), scanner.error()));
    }
  }

  /** Keys that only a refused row has. */
  private void forget(int known) {
    fields.values().removeIf(field -> field >= known);
    keys.subList(known, keys.size()).clear();
  }

  /** Reads one object into the row; false if it is none. */
  private boolean fill(int start, int end) {
    int i = scanner.space(start, end);
    if (block[i] != '{') {
      scanner.fail(i, "a record must be a JSON object on a line of its own");
      return false;
    }
    i = scanner.space(i + 1, end);
    int field = -1;
    if (i < end && block[i] == '}') {
      return nothingAfter(i + 1, end);
    }
    while (true) {
      if (i >= end || block[i] != '"') {
        scanner.fail(
            i,
            i >= end
                ? "the record ends inside an object; a record must be on one line"
                : "a key in double quotes should be here");
        return false;
      }
      int key = i + 1;
      i = scanner.string(key, end);
      int keyEnd = i - 1;
      i = i == JsonScanner.FAILED ? i : scanner.colon(i, end);
      int value = i;
      i = i == JsonScanner.FAILED ? i : scanner.value(i, end);
      if (i == JsonScanner.FAILED) {
        return false;
      }
      field = field(key, keyEnd, field + 1);
      int cell = rows * stride + field;
      cells[cell] = Batch.slice(value, i - value);
      boolean isNull = block[value] == 'n';
      marks[cell] = isNull ? Batch.NULL : Batch.VALUE;
      marked |= isNull;
      i = scanner.space(i, end);
      if (i < end && block[i] == '}') {
        return nothingAfter(i + 1, end);
      }
      if (i >= end || block[i] != ',') {
        scanner.fail(
            i, i >= end ? "the record ends inside an object" : "a comma or } should be here");
        return false;
      }
      i = scanner.space(i + 1, end);
    }
  }

  private boolean nothingAfter(int at, int end) {
    int i = scanner.space(at, end);
    if (i < end) {
      scanner.fail(i, "there is more behind the object; a line holds one record");
    }
    return i == end;
  }

  /** The field of a key; a new one gets the next place. */
  private int field(int from, int to, int expected) {
    if (expected < keys.size()) {
      byte[] key = keys.get(expected);
      if (Arrays.equals(key, 0, key.length, block, from, to)) {
        return expected;
      }
    }
    String name = name(from, to);
    Integer known = fields.get(name);
    if (known != null) {
      return known;
    }
    int field = keys.size();
    if (field == stride) {
      widen();
    }
    fields.put(name, field);
    keys.add(Arrays.copyOfRange(block, from, to));
    // The rows before do not have it.
    for (int row = 0; row <= rows; row++) {
      marks[row * stride + field] = Batch.ABSENT;
    }
    marked |= rows > 0;
    return field;
  }

  private String name(int from, int to) {
    String raw = new String(block, from, to - from, UTF_8);
    return raw.indexOf('\\') < 0 ? raw : JsonNames.unescape(raw);
  }

  private void beginRow(Decoded out) {
    if (stride == 0) {
      stride = FIRST_STRIDE;
    }
    int most = Math.max(1, Math.min(options.maxBatchRows(), MAX_BATCH_CELLS / stride));
    if (rows >= most) {
      emit(out);
    }
    if (cells.length < (rows + 1) * stride) {
      take((int) Math.min((long) most * stride, Math.max(64L, 2L * cells.length)), stride);
    }
    Arrays.fill(marks, rows * stride, rows * stride + keys.size(), Batch.ABSENT);
  }

  private void endRow(Decoded out) {
    int first = rows * stride;
    for (int i = first; !marked && i < first + keys.size(); i++) {
      marked = marks[i] != Batch.VALUE;
    }
    rows++;
    records++;
    if (rows == options.maxBatchRows()) {
      emit(out);
    }
  }

  /** Doubles the place that a row has. */
  private void widen() {
    take((rows + 1) * 2 * stride, 2 * stride);
  }

  /** Takes larger arrays and moves the rows there. */
  private void take(int atLeast, int newStride) {
    long[] newCells = buffers.longs(Math.max(atLeast, (rows + 1) * newStride));
    byte[] newMarks = buffers.bytes(newCells.length);
    for (int row = 0; row <= rows && cells.length > 0; row++) {
      int used = Math.min(keys.size(), stride);
      if (row * stride + used <= cells.length) {
        System.arraycopy(cells, row * stride, newCells, row * newStride, used);
        System.arraycopy(marks, row * stride, newMarks, row * newStride, used);
      }
    }
    takenCells.add(newCells);
    takenMarks.add(newMarks);
    cells = newCells;
    marks = newMarks;
    stride = newStride;
  }

  private void emit(Decoded out) {
    if (rows == 0) {
      return;
    }
    int width = keys.size();
    for (int row = 1; row < rows && width < stride; row++) {
      System.arraycopy(cells, row * stride, cells, row * width, width);
      System.arraycopy(marks, row * stride, marks, row * width, width);
    }
    List<Field> schema = new ArrayList<>(width);
    String[] names = new String[width];
    fields.forEach((name, field) -> names[field] = name);
    for (String name : names) {
      schema.add(new Field(name, Type.JSON));
    }
    Batch batch = new Batch(new Schema(schema, true), rows, block, cells, marked ? marks : null);
    rows = 0;
    marked = false;
    stride = 0;
    keys.clear();
    fields.clear();
    cells = new long[0];
    marks = new byte[0];
    out.batch(batch);
  }

  @Override
  public void release() {
    buffers.give(block);
    takenCells.forEach(buffers::give);
    takenMarks.forEach(buffers::give);
    takenCells.clear();
    takenMarks.clear();
  }
}
