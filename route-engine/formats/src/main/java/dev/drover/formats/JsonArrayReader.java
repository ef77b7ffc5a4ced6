package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;

/**
 * Cuts one JSON array of objects between its elements, so that it may be of any size; or takes one
 * object as the only record.
 */
final class JsonArrayReader implements RecordReader {

  private enum State {
    /** Nothing but white space has come. */
    BEFORE,
    ARRAY,
    DOCUMENT,
    /** The last bracket has closed. */
    AFTER
  }

  private final FormatOptions options;
  private final Buffers buffers;

  private State state = State.BEFORE;
  private boolean first = true;

  // The block that is being cut.
  private byte[] block = {};
  private int searched;
  private int border;
  private int depth;
  private boolean quoted;

  JsonArrayReader(FormatOptions options, Buffers buffers) {
    this.options = options;
    this.buffers = buffers;
  }

  @Override
  public int cut(byte[] bytes, int length, boolean end) {
    block = bytes;
    if (searched == 0) {
      // A block begins between two elements.
      depth = state == State.ARRAY ? 1 : 0;
      quoted = false;
    }
    search(length);
    if (end) {
      if (state == State.BEFORE || state == State.ARRAY || state == State.DOCUMENT) {
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_JSON,
                "",
                state == State.BEFORE
                    ? "the file is empty, and should hold a JSON array"
                    : "the file ends inside the %s".formatted(what()),
                "see whether the file is complete"));
      }
      border = length;
    } else if (border == 0 && length > options.maxRecordBytes()) {
      throw new DroverException(
          ErrorCode.LIMIT_EXCEEDED,
          "a record is longer than `max_record_bytes` (%,d)".formatted(options.maxRecordBytes()));
    }
    return border;
  }

  private String what() {
    return state == State.ARRAY ? "array" : "object";
  }

  private void search(int length) {
    for (int i = searched; i < length; i++) {
      byte b = block[i];
      if (quoted) {
        if (b == '\\') {
          if (i + 1 == length) {
            // What follows decides; the next look begins here.
            searched = i;
            return;
          }
          i++;
        } else if (b == '"') {
          quoted = false;
        }
        continue;
      }
      switch (b) {
        case '"' -> {
          begin(i);
          quoted = true;
        }
        case '[', '{' -> {
          begin(i);
          depth++;
        }
        case ']', '}' -> {
          depth--;
          if (depth == 0 && state != State.AFTER) {
            state = State.AFTER;
            border = i + 1;
          }
        }
        case ',' -> border = depth == 1 && state == State.ARRAY ? i + 1 : border;
        case ' ', '\t', '\r', '\n' -> {}
        default -> begin(i);
      }
    }
    searched = length;
  }

  private void begin(int at) {
    if (state == State.AFTER) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_JSON,
              "",
              "there is more behind the end of the JSON document",
              "set format to jsonl if each line is an object"));
    }
    if (state == State.BEFORE) {
      byte b = block[at];
      boolean mark = (b & 0xff) == 0xef || (b & 0xff) == 0xbb || (b & 0xff) == 0xbf;
      if (b == '[' || b == '{') {
        state = b == '[' ? State.ARRAY : State.DOCUMENT;
      } else if (mark && at < 3) {
        // A byte-order mark.
        block[at] = ' ';
      } else {
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_JSON,
                "",
                "line 1: a JSON array of objects, or one object, should be here",
                "set format to csv or jsonl if it is one of these"));
      }
    }
  }

  @Override
  public int header(byte[] bytes, int length, boolean end) {
    block = bytes;
    int at = 0;
    while (at < length && block[at] != '[' && block[at] != '{') {
      at++;
    }
    if (at == length) {
      return -1;
    }
    if (block[at] == '{') {
      return 0;
    }
    state = State.ARRAY;
    first = false;
    return at + 1;
  }

  @Override
  public Records take() {
    Elements elements = new Elements(block, border, first, options, buffers);
    first = first && state == State.BEFORE;
    searched = 0;
    border = 0;
    return elements;
  }

  /** Elements with commas between them, maybe with the array's brackets around. */
  private static final class Elements implements Records {
    private final byte[] block;
    private final int to;

    /** Whether the array, or the document, begins here. */
    private final boolean first;

    private final FormatOptions options;
    private final Buffers buffers;
    private final JsonRows rows;

    Elements(byte[] block, int to, boolean first, FormatOptions options, Buffers buffers) {
      this.block = block;
      this.to = to;
      this.first = first;
      this.options = options;
      this.buffers = buffers;
      this.rows = new JsonRows(block, options.maxDepth(), options.maxBatchRows(), buffers);
    }

    @Override
    public void decode(Decoded out) {
      JsonScanner scanner = rows.scanner();
      int invalid = Utf8.firstInvalid(block, 0, to);
      if (invalid >= 0) {
        throw broken(out, invalid, "the bytes from here are no UTF-8");
      }
      long records = 0;
      int i = scanner.space(0, to);
      boolean array = !first;
      boolean mayEnd = false;
      if (first && i < to && block[i] == '[') {
        array = true;
        mayEnd = true;
        i = scanner.space(i + 1, to);
      }
      while (i < to) {
        if (array && block[i] == ']' && mayEnd) {
          i = scanner.space(i + 1, to);
          break;
        }
        int end = scanner.value(i, to);
        if (end == JsonScanner.FAILED) {
          throw broken(out, scanner.errorAt(), scanner.error());
        }
        records++;
        add(out, i, end, records);
        i = scanner.space(end, to);
        mayEnd = true;
        if (i < to && block[i] == ',' && array) {
          mayEnd = false;
          i = scanner.space(i + 1, to);
        } else if (i < to && !(array && block[i] == ']')) {
          throw broken(out, i, "a comma or ] should be here");
        }
      }
      if (i < to) {
        throw broken(out, i, "there is more behind the end of the array");
      }
      emit(out);
      out.advanced(records, lines(to));
    }

    private void add(Decoded out, int from, int end, long record) {
      if (rows.isFull()) {
        emit(out);
      }
      boolean tooLong = end - from > options.maxRecordBytes();
      if (tooLong || !rows.add(from, end)) {
        emit(out);
        RejectedRow row =
            new RejectedRow(
                tooLong ? ErrorCode.LIMIT_EXCEEDED : ErrorCode.INVALID_JSON,
                record,
                lines(from) + 1,
                0,
                tooLong
                    ? "the record is longer than `max_record_bytes` (%,d)"
                        .formatted(options.maxRecordBytes())
                    : "an element must be a JSON object");
        out.reject(row.withRow(block, from, end));
      }
    }

    private void emit(Decoded out) {
      if (rows.rows() > 0) {
        out.batch(rows.take());
      }
    }

    /** A fault behind which nothing has a meaning, whatever is done with refused rows. */
    private DroverException broken(Decoded out, int at, String why) {
      emit(out);
      int begin = at;
      while (begin > 0 && block[begin - 1] != '\n') {
        begin--;
      }
      boolean known = begin > 0 || first;
      int column = known ? 1 + Utf8.codePoints(block, begin, at) : 0;
      out.reject(new RejectedRow(ErrorCode.INVALID_JSON, 0, lines(at) + 1, column, why));
      return new DroverException(ErrorCode.INVALID_JSON, why);
    }

    private long lines(int end) {
      long lines = 0;
      for (int i = 0; i < end; i++) {
        lines += block[i] == '\n' ? 1 : 0;
      }
      return lines;
    }

    @Override
    public void release() {
      rows.release();
      buffers.give(block);
    }
  }
}
