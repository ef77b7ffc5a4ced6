package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.QuoteMode;
import org.jspecify.annotations.Nullable;

/** Records of a CSV block, each parsed by Apache Commons CSV. */
final class CommonsCsvRecords implements RecordReader.Records {

  /**
   * What {@link CommonsCsvReader} knows of a block.
   *
   * @param first it has the header's end
   * @param overrun its last record is not complete, and too long already
   * @param last it is the last of the stream
   */
  record Found(boolean first, boolean overrun, boolean last) {}

  /** A record that cannot be read. */
  static final class BadRecordException extends Exception {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    BadRecordException(ErrorCode code, String message) {
      super(message);
      this.code = code;
    }

    ErrorCode code() {
      return code;
    }
  }

  private final byte[] block;
  private final int from;
  private final int[] ends;
  private final @Nullable Schema schema;
  private final CsvDialect dialect;
  private final CsvAdvice advice;
  private final Buffers buffers;
  private final Found found;

  private long lines;
  private long records;

  // The batch that is being filled.
  private JsonOutput arena = new JsonOutput(Buffers.heap(), 0);
  private long[] cells = {};
  private byte[] marks = {};
  private boolean marked;
  private int rows;
  private boolean emitted;

  /**
   * @param schema null if the header is still to come, and all records are to be left out
   * @param ends of the records, line ends included
   */
  CommonsCsvRecords(
      byte[] block,
      int from,
      int[] ends,
      @Nullable Schema schema,
      CsvDialect dialect,
      CsvAdvice advice,
      Buffers buffers,
      Found found,
      int linesBefore) {
    this.block = block;
    this.from = from;
    this.ends = ends;
    this.schema = schema;
    this.dialect = dialect;
    this.advice = advice;
    this.buffers = buffers;
    this.found = found;
    lines = linesBefore;
  }

  /**
   * The fields of one record; a null is one that has no text and no quotes, or the null text.
   *
   * @param to after its line end
   * @return null if it is a comment or an empty line
   */
  static @Nullable List<@Nullable String> fields(byte[] block, int from, int to, CsvDialect dialect)
      throws BadRecordException {
    int invalid = Utf8.firstInvalid(block, from, to);
    if (invalid >= 0) {
      RejectedRow row = CsvText.encoding(block, from, invalid, 0, 1);
      throw new BadRecordException(
          row.code(), "column %d: %s".formatted(row.column(), row.message()));
    }
    String text = new String(block, from, to - from, UTF_8);
    try (CSVParser parser = CSVParser.parse(text, format(dialect))) {
      for (CSVRecord row : parser) {
        List<@Nullable String> fields = new ArrayList<>(row.size());
        for (int i = 0; i < row.size(); i++) {
          fields.add(row.get(i));
        }
        return fields;
      }
      return null;
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      throw new BadRecordException(
          ErrorCode.BAD_QUOTING, reason(e) + ": " + shown(block, from, to));
    }
  }

  private static String reason(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("EOF reached")) {
      return "a quote that opens here is never closed";
    }
    return message.contains("encapsulated") ? "text after a closing quote" : "no record";
  }

  private static String shown(byte[] block, int from, int to) {
    int end = to;
    while (end > from && (block[end - 1] == '\n' || block[end - 1] == '\r')) {
      end--;
    }
    return CsvText.shown(block, from, end);
  }

  private static CSVFormat format(CsvDialect dialect) {
    return CSVFormat.RFC4180
        .builder()
        .setDelimiter((char) dialect.delimiter())
        .setQuote(character(dialect.quote()))
        .setEscape(character(dialect.escape()))
        .setCommentMarker(character(dialect.comment()))
        .setIgnoreSurroundingSpaces(dialect.trim())
        .setIgnoreEmptyLines(true)
        // So that a field without text and quotes is told from one with quotes.
        .setQuoteMode(QuoteMode.ALL_NON_NULL)
        .setNullString(
            dialect.nullText() == null || dialect.nullText().isEmpty() ? null : dialect.nullText())
        .get();
  }

  private static @Nullable Character character(int b) {
    return b == CsvDialect.NONE ? null : (char) b;
  }

  @Override
  public void decode(Decoded out) {
    Schema columns = schema;
    int start = from;
    for (int end : ends) {
      if (columns != null) {
        decode(start, end, columns, out);
      }
      lines += CsvText.lineEnds(block, start, end);
      boolean complete = end > start && (block[end - 1] == '\n' || block[end - 1] == '\r');
      lines += complete ? 0 : 1;
      start = end;
    }
    if (columns != null && (rows > 0 || (found.first() && !emitted))) {
      emit(columns, out);
    }
    out.advanced(records, lines);
  }

  private void decode(int start, int end, Schema columns, Decoded out) {
    RejectedRow refused;
    try {
      if (end - start > dialect.maxRecordBytes() + 2) {
        refused =
            refused(
                ErrorCode.LIMIT_EXCEEDED,
                "the record is longer than `max_record_bytes` (%,d)"
                    .formatted(dialect.maxRecordBytes()));
      } else {
        List<@Nullable String> fields = fields(block, start, end, dialect);
        if (fields == null) {
          return;
        }
        refused = row(fields, start, end, columns, out);
      }
    } catch (BadRecordException e) {
      int invalid = Utf8.firstInvalid(block, start, end);
      refused =
          refused(e.code(), String.valueOf(e.getMessage()))
              .withSuggestion(invalid < 0 ? null : CsvAdvice.encoding(block[invalid]));
    }
    if (refused != null) {
      if (rows > 0) {
        emit(columns, out);
      }
      out.reject(refused.withRow(block, start, end));
      if (found.overrun() && end == ends[ends.length - 1]) {
        throw new DroverException(refused.code(), refused.message());
      }
    }
    records++;
    if (rows == dialect.maxBatchRows()) {
      emit(columns, out);
    }
  }

  private RejectedRow refused(ErrorCode code, String message) {
    return new RejectedRow(code, records + 1, lines + 1, 0, message);
  }

  private @Nullable RejectedRow row(
      List<@Nullable String> fields, int start, int end, Schema columns, Decoded out) {
    int width = columns.size();
    int count = fields.size();
    if (count != width && !dialect.repairs(count, width)) {
      boolean first = found.first() && records == 0;
      boolean last = found.last() && end == ends[ends.length - 1];
      return refused(
              ErrorCode.RAGGED_ROW,
              "expected %d fields as in %s, found %d: %s"
                  .formatted(width, dialect.rule(), count, shown(block, start, end)))
          .withSuggestion(advice.ragged(block, start, end, count, first, last));
    }
    begin(width);
    int mark = arena.at;
    for (int f = 0; f < width; f++) {
      String text = f < count ? fields.get(f) : null;
      byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
      if (bytes.length > dialect.maxFieldBytes()) {
        arena.at = mark;
        return refused(
            ErrorCode.LIMIT_EXCEEDED,
            "field '%s' is longer than `max_field_bytes` (%,d)"
                .formatted(columns.fields().get(f).name(), dialect.maxFieldBytes()));
      }
      int i = rows * width + f;
      boolean isNull = text == null && f < count && dialect.nullText() != null;
      marks[i] = isNull ? Batch.NULL : Batch.VALUE;
      marked |= isNull;
      cells[i] = isBlank(text) ? Batch.BLANK : Batch.slice(arena.at, bytes.length);
      arena.put(bytes, 0, bytes.length);
    }
    rows++;
    if (count != width) {
      out.repaired(lines + 1);
    }
    return null;
  }

  /** With a text for null, Commons CSV does not tell empty text in quotes from that without. */
  private boolean isBlank(@Nullable String text) {
    return text == null || (text.isEmpty() && dialect.nullText() != null);
  }

  private void begin(int width) {
    if (rows == 0) {
      // No text is at 0, where a blank is.
      arena.put(' ');
    }
    int needed = (rows + 1) * width;
    if (cells.length < needed) {
      int size = Math.max(needed, Math.min(2 * cells.length, dialect.maxBatchRows() * width));
      cells = Arrays.copyOf(cells, size);
      marks = Arrays.copyOf(marks, size);
    }
  }

  private void emit(Schema columns, Decoded out) {
    arena.reserve(Batch.PADDING);
    out.batch(new Batch(columns, rows, arena.bytes, cells, marked ? marks : null));
    emitted = true;
    arena = new JsonOutput(Buffers.heap(), 0);
    cells = new long[0];
    marks = new byte[0];
    marked = false;
    rows = 0;
  }

  @Override
  public void release() {
    buffers.give(block);
  }
}
