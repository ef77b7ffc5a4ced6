package dev.drover.formats;

import static dev.drover.formats.Swar.HIGH;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of a CSV block, decoded from the index of its separators. The block becomes the arena of
 * the batches.
 *
 * <p>{@link #walk} is the hot loop of a worker: once around for each field, with all that is rare
 * moved out of it.
 */
final class CsvRecords implements RecordReader.Records {

  /** Keeps the arrays of a batch of very wide rows small. */
  private static final int MAX_BATCH_CELLS = 1 << 17;

  private static final long SIXTEENS = Swar.spread((byte) 16);
  private static final long[] NONE = {};
  private static final int LINE_END_BYTES = 2;

  /**
   * What {@link CsvRecordReader} knows of a block.
   *
   * @param first it has the header's end
   * @param nonAscii it may have a byte above 0x7f
   * @param quotedSeparators it may have delimiters or line ends inside quotes
   * @param malformed it may have quotes that do not follow the rules
   * @param overrun its last record is not complete, and too long already
   * @param last it is the last of the stream
   */
  record Found(
      boolean first,
      boolean nonAscii,
      boolean quotedSeparators,
      boolean malformed,
      boolean overrun,
      boolean last) {}

  private final byte[] block;
  private final long[] index;
  private final int from;
  private final int to;
  private final Schema schema;
  private final CsvDialect dialect;
  private final CsvAdvice advice;
  private final Buffers buffers;
  private final Found found;
  private final int columns;
  private final byte @Nullable [] nullBytes;
  private final List<long[]> taken = new ArrayList<>();

  /** Line ends before the current record. */
  private long lines;

  /** Records before the current one. */
  private long records;

  /** Rows in the cells that no batch has yet. */
  private int pending;

  private boolean emitted;
  private long[] cells = NONE;
  private int capacity;

  /** The next byte that is not UTF-8. */
  private int invalid = Integer.MAX_VALUE;

  /**
   * @param index a bit for each byte of the block that is a separator
   * @param from where the first record begins
   * @param to after the last line end
   * @param linesBefore line ends of the block before the first record
   */
  CsvRecords(
      byte[] block,
      long[] index,
      int from,
      int to,
      Schema schema,
      CsvDialect dialect,
      CsvAdvice advice,
      Buffers buffers,
      Found found,
      int linesBefore) {
    this.block = block;
    this.index = index;
    this.from = from;
    this.to = to;
    this.schema = schema;
    this.dialect = dialect;
    this.advice = advice;
    nullBytes = dialect.nullText() == null ? null : dialect.nullText().getBytes(UTF_8);
    this.buffers = buffers;
    this.found = found;
    columns = schema.size();
    lines = linesBefore;
  }

  @Override
  public void decode(Decoded out) {
    if (from < to) {
      if (found.nonAscii()) {
        findInvalid(from);
      }
      takeCells(from);
      walk(out);
    }
    if (found.first() && !emitted) {
      out.batch(Batch.raw(schema, 0, block, cells));
    }
    out.advanced(records, lines);
  }

  @Override
  public void release() {
    buffers.give(block);
    buffers.give(index);
    taken.forEach(buffers::give);
    taken.clear();
  }

  private void walk(Decoded out) {
    byte delimiter = dialect.delimiter();
    int quote = dialect.quote();
    boolean mayBreak = found.quotedSeparators();
    int width = columns;
    long[] row = cells;
    int at = 0;
    int full = capacity;
    int caution = caution();
    int word = from >>> 6;
    long bits = index[word] & (-1L << from);
    int start = from;
    while (start < to) {
      int recordStart = start;
      int column = 0;
      int breaks = 0;
      int end;
      byte separator;
      do {
        while (bits == 0) {
          bits = index[++word];
        }
        end = (word << 6) + Long.numberOfTrailingZeros(bits);
        bits &= bits - 1;
        if (column < width) {
          if (block[start] == quote) {
            breaks += mayBreak ? breaks(start + 1, end - 1) : 0;
            row[at + column] = quoted(start, end);
          } else {
            row[at + column] = end == start ? Batch.BLANK : Batch.slice(start, end - start);
          }
        }
        column++;
        separator = block[end];
        start = end + 1;
      } while (separator == delimiter);
      if (separator == '\r' && start < to && block[start] == '\n') {
        start++;
        if (bits == 0) {
          bits = index[++word];
        }
        bits &= bits - 1;
      }
      if (column != width || end >= caution || end == recordStart) {
        pending = at / width;
        boolean refused = isRefused(out, recordStart, end, column);
        row = cells;
        at = pending * width;
        caution = caution();
        if (refused) {
          continue;
        }
      }
      lines += 1 + breaks;
      records++;
      at += width;
      if (at == full) {
        emit(out, at / width);
        takeCells(start);
        row = cells;
        full = capacity;
        at = 0;
      }
    }
    if (at > 0) {
      emit(out, at / width);
    }
  }

  /**
   * The cell of a quoted field; without its quotes, and doubled ones as {@link Batch} wants them.
   */
  private long quoted(int start, int end) {
    if (block[start] == '"') {
      return Batch.slice(start + 1, end - start - 2) | Batch.DOUBLED_QUOTES;
    }
    int length = found.malformed() ? 0 : CsvText.undouble(block, start + 1, end - 1, block[start]);
    return Batch.slice(start + 1, length);
  }

  /** Line ends inside quotes: seldom any, so the first look is only for bytes that may be some. */
  private int breaks(int first, int last) {
    long low = 0;
    int i = first;
    for (; i <= last - Long.BYTES; i += Long.BYTES) {
      long x = Swar.load(block, i);
      low |= (x - SIXTEENS) & ~x;
    }
    if (i < last) {
      long x = Swar.load(block, i);
      low |= (x - SIXTEENS) & ~x & ~(-1L << ((last - i) << 3));
    }
    return (low & HIGH) == 0 ? 0 : CsvText.lineEnds(block, first, last);
  }

  /** Below this index there is no reason to look at a record twice. */
  private int caution() {
    int limit = Math.min(dialect.maxRecordBytes(), dialect.maxFieldBytes());
    boolean all = found.malformed() || to - from > limit;
    return all ? 0 : invalid;
  }

  private void findInvalid(int start) {
    int at = Utf8.firstInvalid(block, start, to);
    invalid = at < 0 ? Integer.MAX_VALUE : at;
  }

  /** Whether an odd record is no row; if so, it is told and counted. */
  private boolean isRefused(Decoded out, int start, int end, int found) {
    if (start == end) {
      lines++;
      return true;
    }
    RejectedRow fault = fault(start, end, found);
    if (fault == null) {
      if (found != columns) {
        int row = pending * columns;
        Arrays.fill(cells, row + Math.min(found, columns), row + columns, Batch.BLANK);
        out.repaired(lines + 1);
      }
      return false;
    }
    restoreQuotes(start, Math.min(found, columns));
    emitPending(out);
    boolean cutShort = overrunAt(end);
    out.reject(cutShort ? fault : fault.withRow(block, start, end));
    if (cutShort) {
      // Whatever the policy is: there is no telling where the next record begins.
      throw new DroverException(fault.code(), fault.message());
    }
    lines += 1 + CsvText.lineEnds(block, start, end);
    records++;
    if (invalid < end) {
      findInvalid(end);
    }
    return true;
  }

  /** Undoes {@link CsvText#undouble} in a record whose bytes are wanted as they were read. */
  private void restoreQuotes(int start, int fields) {
    int quote = dialect.quote();
    if (quote == '"' || quote == CsvDialect.NONE || found.malformed()) {
      return;
    }
    for (int field = 0; field < fields; field++) {
      long cell = cells[pending * columns + field];
      int first = Batch.offset(cell);
      if (first > start && block[first - 1] == quote) {
        CsvText.redouble(block, first, first + Batch.length(cell), (byte) quote);
      }
    }
  }

  private boolean overrunAt(int end) {
    return found.overrun() && end + 1 == to;
  }

  private @Nullable RejectedRow fault(int start, int end, int fields) {
    long record = records + 1;
    long line = lines + 1;
    RejectedRow quoting =
        found.malformed()
            ? CsvText.quoting(block, start, end, dialect, record, line, advice)
            : null;
    if (end - start > dialect.maxRecordBytes()) {
      String limit =
          "the record is longer than `max_record_bytes` (%,d)".formatted(dialect.maxRecordBytes());
      return quoting == null
          ? new RejectedRow(ErrorCode.LIMIT_EXCEEDED, record, line, 1, limit)
          : new RejectedRow(
                  ErrorCode.LIMIT_EXCEEDED,
                  quoting.record(),
                  quoting.line(),
                  quoting.column(),
                  limit + ": " + quoting.message())
              .withSuggestion(quoting.suggestion());
    }
    if (quoting != null) {
      return quoting;
    }
    if (invalid < end) {
      return CsvText.encoding(block, start, invalid, record, line)
          .withSuggestion(CsvAdvice.encoding(block[invalid]));
    }
    if (fields != columns && !dialect.repairs(fields, columns)) {
      String message =
          "expected %d fields as in %s, found %d: %s"
              .formatted(columns, dialect.rule(), fields, CsvText.shown(block, start, end));
      boolean first = found.first() && records == 0;
      boolean last = found.last() && end + LINE_END_BYTES >= to;
      return new RejectedRow(ErrorCode.RAGGED_ROW, record, line, 0, message)
          .withSuggestion(advice.ragged(block, start, end, fields, first, last));
    }
    return end - start > dialect.maxFieldBytes() ? tooLong(fields, record, line) : null;
  }

  private @Nullable RejectedRow tooLong(int fields, long record, long line) {
    for (int field = 0; field < Math.min(fields, columns); field++) {
      long cell = cells[pending * columns + field] & ~Batch.DOUBLED_QUOTES;
      if (Batch.length(cell) > dialect.maxFieldBytes()) {
        return new RejectedRow(
            ErrorCode.LIMIT_EXCEEDED,
            record,
            line,
            0,
            "field '%s' is longer than `max_field_bytes` (%,d)"
                .formatted(schema.fields().get(field).name(), dialect.maxFieldBytes()));
      }
    }
    return null;
  }

  private void takeCells(int at) {
    // A field takes one byte at least: its separator.
    int rows = Math.min(dialect.maxBatchRows(), MAX_BATCH_CELLS / columns);
    capacity = Math.max(1, Math.min(rows, (to - at) / columns + 1)) * columns;
    cells = buffers.longs(capacity);
    taken.add(cells);
  }

  private void emit(Decoded out, int rows) {
    emitted = true;
    out.batch(Batch.raw(schema, rows, block, cells, nulls(cells, rows)));
  }

  /** Marks of the cells, if there are any that stand for null. */
  private byte @Nullable [] nulls(long[] of, int rows) {
    byte[] text = nullBytes;
    if (text == null) {
      return null;
    }
    byte[] marks = null;
    for (int i = 0; i < rows * columns; i++) {
      long cell = of[i];
      if (Batch.length(cell) != text.length) {
        continue;
      }
      int at = Batch.offset(cell);
      boolean inQuotes = at > 0 && cell != Batch.BLANK && block[at - 1] == dialect.quote();
      if (!inQuotes && Arrays.equals(block, at, at + text.length, text, 0, text.length)) {
        marks = marks == null ? new byte[rows * columns] : marks;
        marks[i] = Batch.NULL;
      }
    }
    return marks;
  }

  /** Keeps rows in order with a refused one, without an array of full size for each few of them. */
  private void emitPending(Decoded out) {
    if (pending > 0) {
      emitted = true;
      long[] used = Arrays.copyOf(cells, pending * columns);
      pending = 0;
      int rows = used.length / columns;
      out.batch(Batch.raw(schema, rows, block, used, nulls(used, rows)));
    }
  }
}
