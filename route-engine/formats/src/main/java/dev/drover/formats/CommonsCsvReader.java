package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts CSV of the dialects that {@link CsvRecordReader} does not know: with an escape character,
 * with lines that are comments, with blanks around fields. Apache Commons CSV reads the records.
 */
final class CommonsCsvReader implements RecordReader {

  private final CsvStart start;
  private final Buffers buffers;
  private final Consumer<Problem> warn;

  // Known once the stream has begun.
  private CsvDialect dialect;
  private @Nullable Schema schema;
  private CsvAdvice advice;
  private boolean begun;
  private boolean headerTaken;
  private boolean overrun;
  private boolean ended;

  // The block that is being cut, and the ends of its records, line ends included.
  private byte[] block = {};
  private int from;
  private int border;
  private int[] ends = new int[256];
  private int records;
  private int scanned;
  private int linesBefore;

  private enum Place {
    RECORD_START,
    FIELD_START,
    IN_FIELD,
    IN_QUOTES,
    AFTER_QUOTES,
    IN_COMMENT,
    ESCAPED,
    ESCAPED_IN_QUOTES
  }

  private Place place = Place.RECORD_START;

  CommonsCsvReader(CsvDialect dialect, Buffers buffers, Consumer<Problem> warn) {
    this.start = new CsvStart(dialect);
    this.dialect = dialect;
    this.buffers = buffers;
    this.warn = warn;
    advice = new CsvAdvice(dialect, "", 0);
  }

  @Override
  public int cut(byte[] bytes, int length, boolean end) {
    block = bytes;
    if (overrun) {
      // The record that was too long has no end, so nothing after it has a meaning.
      from = length;
      border = length;
      return length;
    }
    if (!begun && !begin(length, end)) {
      return 0;
    }
    ended = end;
    scan(length, end);
    border = records == 0 ? 0 : ends[records - 1];
    overrun = border == 0 && length - from > dialect.maxRecordBytes();
    if ((end && border < length) || overrun) {
      add(length);
      border = length;
    }
    if (border > 0 && schema == null) {
      readStart();
    }
    return border;
  }

  @Override
  public int header(byte[] bytes, int length, boolean end) {
    cut(bytes, length, end);
    int after = schema == null ? -1 : Math.min(from, length);
    forgetBlock();
    return after;
  }

  @Override
  public Records take() {
    CommonsCsvRecords taken =
        new CommonsCsvRecords(
            block,
            from,
            Arrays.copyOf(ends, records),
            schema,
            dialect,
            advice,
            buffers,
            new CommonsCsvRecords.Found(!headerTaken && schema != null, overrun, ended),
            linesBefore);
    headerTaken |= schema != null;
    forgetBlock();
    return taken;
  }

  @Override
  public @Nullable Schema schema() {
    return schema;
  }

  private void forgetBlock() {
    from = 0;
    border = 0;
    records = 0;
    scanned = 0;
    linesBefore = 0;
    place = Place.RECORD_START;
  }

  private boolean begin(int length, boolean end) {
    int first = start.find(block, length, end);
    if (first < 0) {
      return false;
    }
    dialect = start.dialect();
    from = first;
    scanned = first;
    linesBefore = start.skippedLines();
    begun = true;
    return true;
  }

  private void add(int end) {
    if (records == ends.length) {
      ends = Arrays.copyOf(ends, 2 * records);
    }
    ends[records++] = end;
  }

  /** Finds the line ends that end a record: not in quotes, not escaped, not missing their feed. */
  private void scan(int length, boolean end) {
    int i = Math.max(scanned, from);
    for (; i < length; i++) {
      byte b = block[i];
      boolean lineEnd = b == '\n' || b == '\r';
      if (b == '\r' && i + 1 == length && !end) {
        break;
      }
      if (place == Place.ESCAPED || place == Place.ESCAPED_IN_QUOTES) {
        place = place == Place.ESCAPED ? Place.IN_FIELD : Place.IN_QUOTES;
      } else if (b == dialect.escape() && place != Place.IN_COMMENT) {
        place = place == Place.IN_QUOTES ? Place.ESCAPED_IN_QUOTES : Place.ESCAPED;
      } else if (place == Place.IN_QUOTES) {
        place = b == dialect.quote() ? Place.AFTER_QUOTES : Place.IN_QUOTES;
      } else if (lineEnd) {
        i += b == '\r' && i + 1 < length && block[i + 1] == '\n' ? 1 : 0;
        add(i + 1);
        place = Place.RECORD_START;
      } else if (place != Place.IN_COMMENT) {
        place = next(b);
      }
    }
    scanned = i;
  }

  /** Where a byte leads that is no line end and has no part in an escape or in quotes. */
  private Place next(byte b) {
    boolean start = place == Place.RECORD_START || place == Place.FIELD_START;
    if (place == Place.RECORD_START && b == dialect.comment()) {
      return Place.IN_COMMENT;
    } else if (b == dialect.delimiter()) {
      return Place.FIELD_START;
    } else if (b == dialect.quote() && (start || place == Place.AFTER_QUOTES)) {
      return Place.IN_QUOTES;
    }
    boolean blank = start && dialect.trim() && (b == ' ' || b == '\t');
    return blank ? Place.FIELD_START : Place.IN_FIELD;
  }

  private void readStart() {
    int at = from;
    int line = linesBefore + 1;
    int taken = 0;
    while (schema == null && taken < records) {
      int end = ends[taken++];
      List<@Nullable String> fields;
      try {
        fields = CommonsCsvRecords.fields(block, at, end, dialect);
      } catch (CommonsCsvRecords.BadRecordException e) {
        throw new DroverException(e.code(), "line %d (header): %s".formatted(line, e.getMessage()));
      }
      if (overrun && taken == records) {
        throw new DroverException(
            ErrorCode.LIMIT_EXCEEDED,
            "line %d: the header is longer than `max_record_bytes` (%,d)"
                .formatted(line, dialect.maxRecordBytes()));
      }
      if (fields == null) {
        line += CsvText.lineEnds(block, at, end);
        at = end;
        continue;
      }
      if (dialect.header()) {
        List<String> names = fields.stream().map(name -> name == null ? "" : name).toList();
        schema = CsvHeader.schema(names, dialect, line, warn);
        advice = new CsvAdvice(dialect, new String(block, at, end - at, UTF_8), schema.size());
        line += CsvText.lineEnds(block, at, end);
        at = end;
      } else {
        schema = CsvHeader.withoutHeader(fields.size(), dialect);
        advice = new CsvAdvice(dialect, "", schema.size());
        taken--;
        break;
      }
    }
    linesBefore = line - 1;
    from = at;
    System.arraycopy(ends, taken, ends, 0, records - taken);
    records -= taken;
  }
}
