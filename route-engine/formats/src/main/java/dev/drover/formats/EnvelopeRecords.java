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
import java.nio.charset.StandardCharsets;
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

  private enum Member {
    MESSAGE_ID(Envelope.MESSAGE_ID),
    PAYLOAD(Envelope.PAYLOAD),
    METADATA(Envelope.METADATA),
    BASE64(Envelope.BASE64);

    private final String name;

    Member(String name) {
      this.name = name;
    }
  }

  private static final Member[] MEMBERS = Member.values();

  /** The names of the members as they are mostly written. */
  private static final byte[][] KEYS =
      Arrays.stream(MEMBERS)
          .map(member -> ('"' + member.name + '"').getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  private final Envelope envelope;
  private final byte[] block;
  private final int from;
  private final int to;
  private final FormatOptions options;
  private final Buffers buffers;
  private final boolean overrun;
  private final JsonScanner scanner;

  /**
   * The texts of all batches. A text is not longer than what it is written as, so it never grows.
   */
  private @Nullable JsonOutput arena;

  // The batch that is being filled: cells of one row after the other.
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private long[] cells = {};
  private byte[] marks = {};

  /** How many cells a row takes, of which those without a name are not used. */
  private int stride = 4;

  private int rows;

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
      int end = Swar.find(block, start, to, Swar.LINE_FEEDS);
      if (scanner.space(start, end) < end) {
        records++;
        RejectedRow refused = row(start, end, records, lines + 1);
        if (refused != null || rows == options.maxBatchRows()) {
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
    JsonOutput texts = arena();
    int mark = texts.at;
    int known = names.size();
    if (rows == 0) {
      names.putIfAbsent(Envelope.PAYLOAD, 0);
      names.putIfAbsent(Envelope.MESSAGE_ID, 1);
    }
    beginRow();
    if (envelope(start, end, texts)) {
      rows++;
      return null;
    }
    texts.at = mark;
    names.values().removeIf(index -> index >= Math.max(2, known));
    return new RejectedRow(
        ErrorCode.INVALID_JSON,
        record,
        line,
        1 + Utf8.codePoints(block, start, scanner.errorAt()),
        scanner.error());
  }

  private JsonOutput arena() {
    if (arena == null) {
      arena = new JsonOutput(buffers, to - from + Batch.PADDING + JsonOutput.OVERRUN);
    }
    return arena;
  }

  private void beginRow() {
    int begin = rows * stride;
    int end = begin + stride;
    if (end > cells.length) {
      int rowsMore = Math.min(options.maxBatchRows(), Math.max(16, 2 * rows));
      cells = Arrays.copyOf(cells, rowsMore * stride);
      marks = Arrays.copyOf(marks, rowsMore * stride);
    }
    Arrays.fill(marks, begin, end, Batch.ABSENT);
  }

  private void put(int field, long cell, byte mark) {
    if (field >= stride) {
      widen(2 * stride);
    }
    int i = rows * stride + field;
    cells[i] = cell;
    marks[i] = mark;
  }

  private void widen(int wider) {
    int capacity = Math.max(rows + 1, cells.length / stride);
    long[] widerCells = new long[capacity * wider];
    byte[] widerMarks = new byte[capacity * wider];
    Arrays.fill(widerMarks, Batch.ABSENT);
    for (int row = 0; row <= rows; row++) {
      System.arraycopy(cells, row * stride, widerCells, row * wider, stride);
      System.arraycopy(marks, row * stride, widerMarks, row * wider, stride);
    }
    cells = widerCells;
    marks = widerMarks;
    stride = wider;
  }

  /** A failure that is none of JSON itself. */
  private int fail(int at, String why) {
    return scanner.fail(at, why);
  }

  /** One pass over the line; the cells of the next row are filled in. */
  private boolean envelope(int start, int end, JsonOutput texts) {
    int i = scanner.space(start, end);
    if (block[i] != '{') {
      fail(i, "a record must be a JSON object on a line of its own");
      return false;
    }
    boolean payload = false;
    i = scanner.space(i + 1, end);
    boolean first = true;
    while (i >= end || block[i] != '}' || !first) {
      int value = scanner.key(i, end);
      if (value == JsonScanner.FAILED) {
        return false;
      }
      @Nullable Member member = member(i, end);
      int after =
          switch (member) {
            case PAYLOAD -> payload(value, end, texts);
            case BASE64 -> base64(value, end, texts);
            case MESSAGE_ID -> text(1, value, end, texts);
            case METADATA -> metadata(value, end, texts);
            case null -> noPart(i, end);
          };
      payload |= member == Member.PAYLOAD || member == Member.BASE64;
      if (after == JsonScanner.FAILED) {
        return false;
      }
      i = scanner.next(after, end, '}');
      if (i == JsonScanner.FAILED) {
        return false;
      }
      first = false;
      if (block[i] == '}') {
        break;
      }
      i = scanner.space(i + 1, end);
    }
    i = scanner.space(i + 1, end);
    if (i < end) {
      fail(i, "a record must be a JSON object on a line of its own");
    } else if (!payload) {
      i = fail(start, "there is no payload; rows as plain JSON have the format jsonl");
    }
    return i == end;
  }

  private @Nullable Member member(int at, int end) {
    for (int i = 0; i < KEYS.length; i++) {
      byte[] key = KEYS[i];
      int to = Math.min(at + key.length, block.length);
      if (Arrays.equals(block, at, to, key, 0, key.length)) {
        return MEMBERS[i];
      }
    }
    // Maybe one that is written with escapes.
    String name = JsonNames.of(block, at + 1, scanner.string(at + 1, end) - 1);
    for (Member each : MEMBERS) {
      if (name.equals(each.name)) {
        return each;
      }
    }
    return null;
  }

  private int noPart(int at, int end) {
    String name = JsonNames.of(block, at + 1, scanner.string(at + 1, end) - 1);
    return fail(
        at + 1,
        "'%s' is no part of an envelope; rows as plain JSON have the format jsonl".formatted(name));
  }

  private int payload(int value, int end, JsonOutput texts) {
    if (envelope == Envelope.JSON && block[value] != 'n') {
      int after = scanner.value(value, end);
      if (after != JsonScanner.FAILED) {
        copy(0, value, after, texts);
      }
      return after;
    }
    if (block[value] != 'n' && block[value] != '"') {
      return fail(value, "the payload must be text; the format json has JSON there");
    }
    return text(0, value, end, texts);
  }

  private int base64(int value, int end, JsonOutput texts) {
    if (block[value] == 'n') {
      return text(0, value, end, texts);
    }
    int after = block[value] == '"' ? scanner.string(value + 1, end) : scanner.value(value, end);
    if (after == JsonScanner.FAILED) {
      return after;
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(Arrays.copyOfRange(block, value + 1, after - 1));
    } catch (IllegalArgumentException e) {
      return fail(value, "this is no Base64");
    }
    put(0, Batch.slice(texts.at, bytes.length), Batch.VALUE);
    texts.put(bytes, 0, bytes.length);
    return after;
  }

  private void copy(int field, int from, int to, JsonOutput texts) {
    put(field, Batch.slice(texts.at, to - from), Batch.VALUE);
    texts.put(block, from, to - from);
  }

  /** A string's text; of anything else its JSON. */
  private int text(int field, int value, int end, JsonOutput texts) {
    if (block[value] == '"') {
      int begin = texts.at;
      int after = scanner.text(value + 1, end, texts);
      put(field, Batch.slice(begin, texts.at - begin), Batch.VALUE);
      return after;
    }
    int after = scanner.value(value, end);
    if (after != JsonScanner.FAILED && block[value] == 'n') {
      put(field, 0, Batch.NULL);
    } else if (after != JsonScanner.FAILED) {
      copy(field, value, after, texts);
    }
    return after;
  }

  private int metadata(int value, int end, JsonOutput texts) {
    if (block[value] == 'n') {
      return scanner.value(value, end);
    }
    if (block[value] != '{') {
      return fail(value, "metadata must be an object");
    }
    int i = scanner.space(value + 1, end);
    if (i < end && block[i] == '}') {
      return i + 1;
    }
    while (true) {
      int begin = scanner.key(i, end);
      if (begin == JsonScanner.FAILED) {
        return begin;
      }
      String name = JsonNames.of(block, i + 1, scanner.string(i + 1, end) - 1);
      if (name.equals(Envelope.PAYLOAD) || name.equals(Envelope.MESSAGE_ID)) {
        return fail(i + 1, "'%s' is no name of metadata".formatted(name));
      }
      Integer field = names.putIfAbsent(name, names.size());
      i = text(field == null ? names.size() - 1 : field, begin, end, texts);
      i = i == JsonScanner.FAILED ? i : scanner.next(i, end, '}');
      if (i == JsonScanner.FAILED || block[i] == '}') {
        return i == JsonScanner.FAILED ? i : i + 1;
      }
      i = scanner.space(i + 1, end);
    }
  }

  private void emit(Decoded out) {
    if (rows == 0) {
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
    long[] its = new long[rows * width];
    byte[] itsMarks = new byte[its.length];
    byte any = 0;
    for (int row = 0; row < rows; row++) {
      for (int f = 0; f < width; f++) {
        byte mark = marks[row * stride + f];
        any |= (byte) (mark ^ Batch.VALUE);
        itsMarks[row * width + f] = mark;
        its[row * width + f] = cells[row * stride + f];
      }
    }
    byte[] texts = arena().bytes;
    out.batch(new Batch(new Schema(fields, true), rows, texts, its, any == 0 ? null : itsMarks));
    rows = 0;
    names.clear();
  }

  @Override
  public void release() {
    buffers.give(block);
    JsonOutput texts = arena;
    arena = null;
    if (texts != null) {
      buffers.give(texts.bytes);
    }
  }
}
