package dev.drover.formats;

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
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lines that are envelopes. A row has the payload as bytes and, as metadata, {@code message_id} and
 * what stands under {@code metadata}, all of it text.
 */
final class EnvelopeRecords implements RecordReader.Records {

  private final Envelope envelope;
  private final byte[] block;
  private final int from;
  private final int to;
  private final FormatOptions options;
  private final Buffers buffers;
  private final boolean overrun;
  private final JsonScanner scanner;

  // The batch that is being filled: cells by field, each row after the other.
  private JsonOutput arena = new JsonOutput(Buffers.heap(), 0);
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final List<long[]> rows = new ArrayList<>();
  private final List<byte[]> marks = new ArrayList<>();

  private String error = "";
  private int errorAt;

  EnvelopeRecords(
      Envelope envelope,
      byte[] block,
      int from,
      int to,
      FormatOptions options,
      Buffers buffers,
      boolean overrun) {
    this.envelope = envelope;
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
    long records = 0;
    long lines = 0;
    int start = from;
    while (start < to) {
      int end = start;
      while (end < to && block[end] != '\n') {
        end++;
      }
      if (scanner.space(start, end) < end) {
        records++;
        RejectedRow refused = row(start, end, records, lines + 1);
        if (refused != null || rows.size() == options.maxBatchRows()) {
          emit(out);
        }
        if (refused != null) {
          out.reject(refused.withRow(block, start, end));
          if (overrun && end == to) {
            throw new DroverException(refused.code(), refused.message());
          }
        }
      }
      lines += end < to ? 1 : 0;
      start = end + 1;
    }
    emit(out);
    out.advanced(records, lines);
  }

  private @Nullable RejectedRow row(int start, int end, long record, long line) {
    if (end - start > options.maxRecordBytes()) {
      return new RejectedRow(
          ErrorCode.LIMIT_EXCEEDED,
          record,
          line,
          1,
          "the record is longer than `max_record_bytes` (%,d)".formatted(options.maxRecordBytes()));
    }
    int invalid = Utf8.firstInvalid(block, start, end);
    if (invalid >= 0) {
      return CsvText.encoding(block, start, invalid, record, line);
    }
    int mark = arena.at;
    int known = names.size();
    if (rows.isEmpty()) {
      names.putIfAbsent(Envelope.PAYLOAD, 0);
      names.putIfAbsent(Envelope.MESSAGE_ID, 1);
    }
    if (envelope(start, end)) {
      return null;
    }
    arena.at = mark;
    names.values().removeIf(index -> index >= Math.max(2, known));
    return new RejectedRow(
        ErrorCode.INVALID_JSON, record, line, 1 + Utf8.codePoints(block, start, errorAt), error);
  }

  private boolean fail(int at, String why) {
    errorAt = at;
    error = why;
    return false;
  }

  private boolean fail() {
    return fail(scanner.errorAt(), scanner.error());
  }

  private boolean envelope(int start, int end) {
    int i = scanner.space(start, end);
    int after = scanner.value(i, end);
    if (after == JsonScanner.FAILED) {
      return fail();
    }
    if (block[i] != '{' || scanner.space(after, end) < end) {
      return fail(i, "a record must be a JSON object on a line of its own");
    }
    long[] cells = new long[Math.max(4, names.size())];
    byte[] rowMarks = new byte[cells.length];
    Arrays.fill(rowMarks, Batch.ABSENT);
    Row row = new Row(cells, rowMarks);
    boolean payload = false;
    i = scanner.space(i + 1, after);
    while (block[i] == '"') {
      int key = i + 1;
      int keyEnd = scanner.string(key, after) - 1;
      int value = scanner.colon(keyEnd + 1, after);
      int valueEnd = scanner.value(value, after);
      String name = JsonNames.of(block, key, keyEnd);
      boolean isPayload = name.equals(Envelope.PAYLOAD) || name.equals(Envelope.BASE64);
      boolean fits =
          isPayload
              ? payload(name, value, valueEnd, row)
              : switch (name) {
                case Envelope.MESSAGE_ID -> text(1, value, valueEnd, row);
                case Envelope.METADATA -> metadata(value, valueEnd, row);
                default ->
                    fail(
                        key,
                        "'%s' is no part of an envelope; rows as plain JSON have the format jsonl"
                            .formatted(name));
              };
      if (!fits) {
        return false;
      }
      payload |= isPayload;
      i = scanner.space(valueEnd, after);
      i = block[i] == ',' ? scanner.space(i + 1, after) : i;
    }
    if (!payload) {
      return fail(start, "there is no payload; rows as plain JSON have the format jsonl");
    }
    rows.add(row.cells);
    marks.add(row.marks);
    return true;
  }

  /** The cells of the row at hand, which grow with the names. */
  private static final class Row {
    long[] cells;
    byte[] marks;

    Row(long[] cells, byte[] marks) {
      this.cells = cells;
      this.marks = marks;
    }

    void put(int field, long cell, byte mark) {
      if (field >= cells.length) {
        int before = cells.length;
        cells = Arrays.copyOf(cells, 2 * field);
        marks = Arrays.copyOf(marks, 2 * field);
        Arrays.fill(marks, before, marks.length, Batch.ABSENT);
      }
      cells[field] = cell;
      marks[field] = mark;
    }
  }

  private boolean payload(String name, int value, int end, Row row) {
    if (block[value] == 'n') {
      row.put(0, 0, Batch.NULL);
      return true;
    }
    boolean text = block[value] == '"';
    if (name.equals(Envelope.BASE64)) {
      byte[] bytes;
      try {
        bytes = Base64.getDecoder().decode(Arrays.copyOfRange(block, value + 1, end - 1));
      } catch (IllegalArgumentException e) {
        return fail(value, "this is no Base64");
      }
      row.put(0, Batch.slice(arena.at, bytes.length), Batch.VALUE);
      arena.put(bytes, 0, bytes.length);
      return true;
    }
    if (envelope == Envelope.JSON) {
      row.put(0, Batch.slice(arena.at, end - value), Batch.VALUE);
      arena.put(block, value, end - value);
      return true;
    }
    return text
        ? text(0, value, end, row)
        : fail(value, "the payload must be text; the format json has JSON there");
  }

  /** A string's text; of anything else its JSON. */
  private boolean text(int field, int value, int end, Row row) {
    if (block[value] == 'n') {
      row.put(field, 0, Batch.NULL);
      return true;
    }
    int begin = arena.at;
    if (block[value] != '"') {
      arena.put(block, value, end - value);
    } else if (!JsonStrings.unescape(block, value + 1, end - 1, arena)) {
      return fail(value, "half of a surrogate pair is no text");
    }
    row.put(field, Batch.slice(begin, arena.at - begin), Batch.VALUE);
    return true;
  }

  private boolean metadata(int value, int end, Row row) {
    if (block[value] == 'n') {
      return true;
    }
    if (block[value] != '{') {
      return fail(value, "metadata must be an object");
    }
    int i = scanner.space(value + 1, end);
    while (block[i] == '"') {
      int key = i + 1;
      int keyEnd = scanner.string(key, end) - 1;
      int begin = scanner.colon(keyEnd + 1, end);
      int valueEnd = scanner.value(begin, end);
      String name = JsonNames.of(block, key, keyEnd);
      if (name.equals(Envelope.PAYLOAD) || name.equals(Envelope.MESSAGE_ID)) {
        return fail(key, "'%s' is no name of metadata".formatted(name));
      }
      Integer field = names.putIfAbsent(name, names.size());
      if (!text(field == null ? names.size() - 1 : field, begin, valueEnd, row)) {
        return false;
      }
      i = scanner.space(valueEnd, end);
      i = block[i] == ',' ? scanner.space(i + 1, end) : i;
    }
    return true;
  }

  private void emit(Decoded out) {
    if (rows.isEmpty()) {
      return;
    }
    int width = names.size();
    List<Field> fields = new ArrayList<>(width);
    names.forEach(
        (name, index) ->
            fields.add(
                index == 0
                    ? new Field(name, Type.BYTES)
                    : new Field(name, Type.STRING, Field.Role.METADATA)));
    long[] cells = new long[rows.size() * width];
    byte[] all = new byte[cells.length];
    boolean marked = false;
    for (int row = 0; row < rows.size(); row++) {
      long[] of = rows.get(row);
      for (int f = 0; f < width; f++) {
        byte mark = f < of.length ? marks.get(row)[f] : Batch.ABSENT;
        all[row * width + f] = mark;
        marked |= mark != Batch.VALUE;
        cells[row * width + f] = f < of.length ? of[f] : 0;
      }
    }
    arena.reserve(Batch.PADDING);
    Batch batch =
        new Batch(new Schema(fields, true), rows.size(), arena.bytes, cells, marked ? all : null);
    // Rows that were handed on keep their bytes.
    arena = new JsonOutput(Buffers.heap(), 0);
    rows.clear();
    marks.clear();
    names.clear();
    out.batch(batch);
  }

  @Override
  public void release() {
    buffers.give(block);
  }
}
