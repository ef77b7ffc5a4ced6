package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts CSV at record borders and keeps where the separators are, so that decoding need not look
 * again.
 */
final class CsvRecordReader implements RecordReader {

  /** What may follow a record of the greatest size before it must have ended. */
  private static final int LINE_END_BYTES = 2;

  private static final long[] NONE = {};

  private final CsvStart start;
  private final Buffers buffers;
  private final Consumer<Problem> warn;

  // Known once the stream has begun.
  private CsvDialect dialect;
  private CsvScanner scanner;
  private CsvAdvice advice;

  private @Nullable Schema schema;
  private boolean begun;
  private boolean headerTaken;
  private boolean overrun;
  private boolean ended;

  /** Line ends of earlier blocks, before the header. */
  private int blankLines;

  /** Lines that were left out at the start, until they are told. */
  private int linesSkipped;

  // The block that is being cut: where its records begin and end, and what is known of it.
  private byte[] block = {};
  private long[] index = NONE;
  private int from;
  private int to;
  private int border;
  private int scannedWords;
  private int linesBefore;
  private boolean openAtEnd;

  CsvRecordReader(CsvDialect dialect, Buffers buffers, Consumer<Problem> warn) {
    this.start = new CsvStart(dialect);
    this.dialect = dialect;
    this.buffers = buffers;
    this.warn = warn;
    scanner = new CsvScanner(dialect.delimiter(), dialect.quote());
    advice = new CsvAdvice(dialect, "", 0);
  }

  @Override
  public int cut(byte[] bytes, int length, boolean end) {
    block = bytes;
    if (overrun) {
      // The record that was too long has no end, so nothing after it has a meaning.
      from = length;
      to = length;
      border = length;
      return length;
    }
    if (!begun && !begin(length, end)) {
      return 0;
    }
    int known = scannedWords;
    boolean open = scan(length);
    border = Math.max(border, findBorder(length, end, Math.max(0, known - 1)));
    to = border;
    overrun = border == 0 && length - from > dialect.maxRecordBytes() + LINE_END_BYTES;
    ended = end;
    if ((end && border < length) || overrun) {
      closeRecord(length);
      openAtEnd = open;
    }
    if (border > 0 && schema == null) {
      readStart();
    }
    if (end && border == 0) {
      giveIndex();
    }
    return border;
  }

  @Override
  public int header(byte[] bytes, int length, boolean end) {
    cut(bytes, length, end);
    if (schema == null) {
      return -1;
    }
    int after = Math.min(from, length);
    giveIndex();
    forgetBlock();
    return after;
  }

  @Override
  public Records take() {
    Records records;
    if (schema == null) {
      giveIndex();
      blankLines += linesBefore;
      records = new BlankLines(block, linesBefore, buffers);
    } else {
      CsvRecords.Found found =
          new CsvRecords.Found(
              !headerTaken,
              scanner.nonAscii(),
              scanner.quotedSeparators(),
              scanner.malformed() || openAtEnd,
              overrun,
              ended);
      records =
          new CsvRecords(
              block, index, from, to, schema, dialect, advice, buffers, found, linesBefore);
      headerTaken = true;
    }
    forgetBlock();
    return records;
  }

  @Override
  public @Nullable Schema schema() {
    return schema;
  }

  private void forgetBlock() {
    index = NONE;
    from = 0;
    to = 0;
    border = 0;
    scannedWords = 0;
    linesBefore = 0;
    openAtEnd = false;
    scanner.restart();
  }

  /** Hides what is before the first record; false if more bytes are needed to tell. */
  private boolean begin(int length, boolean end) {
    int first = start.find(block, length, end);
    if (first < 0) {
      return false;
    }
    dialect = start.dialect();
    scanner = new CsvScanner(dialect.delimiter(), dialect.quote());
    // So that a quote in the next byte stands at the start of a field.
    Arrays.fill(block, 0, first, dialect.delimiter());
    from = first;
    linesSkipped = start.skippedLines();
    begun = true;
    return true;
  }

  /** Indexes the bytes that are new; whether they end inside quotes. */
  private boolean scan(int length) {
    int words = length >>> 6;
    if (index.length < words + 1) {
      long[] longer = buffers.longs(Math.max(words + 1, 2 * scannedWords));
      System.arraycopy(index, 0, longer, 0, scannedWords);
      giveIndex();
      index = longer;
    }
    scanner.scan(block, scannedWords, words, index);
    scannedWords = words;
    return scanner.peek(block, words, length & 63, index);
  }

  /** The index after the last line end that is complete; 0 if there is none. */
  private int findBorder(int length, boolean end, int lowestWord) {
    for (int word = length >>> 6; word >= lowestWord; word--) {
      for (long bits = index[word]; bits != 0; bits ^= Long.highestOneBit(bits)) {
        int at = (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
        // A line feed may still follow a return that is the last byte.
        if (block[at] == '\n' || (block[at] == '\r' && (end || at + 1 < length))) {
          return at + 1;
        }
      }
    }
    return 0;
  }

  /** Gives the last record the line end that it lacks. */
  private void closeRecord(int length) {
    block[length] = '\n';
    index[length >>> 6] |= 1L << length;
    border = length;
    to = length + 1;
  }

  /** Reads the header, if there is one, and else the number of fields of the first record. */
  private void readStart() {
    int first = from;
    while (first < to && (block[first] == '\n' || block[first] == '\r')) {
      first++;
    }
    int next = first;
    if (first < to) {
      int line = blankLines + linesSkipped + CsvText.lineEnds(block, from, first) + 1;
      if (overrun) {
        throw new DroverException(
            ErrorCode.LIMIT_EXCEEDED,
            "line %d: the %s is longer than `max_record_bytes` (%,d)"
                .formatted(
                    line, dialect.header() ? "header" : "first record", dialect.maxRecordBytes()));
      }
      int end = firstLineEnd(first);
      if (dialect.header()) {
        schema = CsvHeader.read(block, first, end, dialect, line, warn);
        next = end + 1;
        if (block[end] == '\r' && next < to && block[next] == '\n') {
          next++;
        }
      } else {
        schema = CsvHeader.withoutHeader(fields(first, end), dialect);
      }
      String header = dialect.header() ? new String(block, first, end - first, UTF_8) : "";
      advice = new CsvAdvice(dialect, header, schema.size());
    }
    linesBefore = linesSkipped + CsvText.lineEnds(block, from, next);
    linesSkipped = 0;
    from = next;
  }

  private int fields(int first, int end) {
    int fields = 1;
    for (int i = first; i < end; i++) {
      boolean separates = (index[i >>> 6] & (1L << i)) != 0;
      fields += separates ? 1 : 0;
    }
    return fields;
  }

  private int firstLineEnd(int start) {
    int word = start >>> 6;
    long bits = index[word] & (-1L << start);
    while (true) {
      while (bits == 0) {
        bits = index[++word];
      }
      int at = (word << 6) + Long.numberOfTrailingZeros(bits);
      if (block[at] != dialect.delimiter()) {
        return at;
      }
      bits &= bits - 1;
    }
  }

  private void giveIndex() {
    if (index.length > 0) {
      buffers.give(index);
      index = NONE;
    }
  }

  /** Empty lines before the header. */
  private static final class BlankLines implements Records {

    private final byte[] block;
    private final int lines;
    private final Buffers buffers;

    BlankLines(byte[] block, int lines, Buffers buffers) {
      this.block = block;
      this.lines = lines;
      this.buffers = buffers;
    }

    @Override
    public void decode(Decoded out) {
      out.advanced(0, lines);
    }

    @Override
    public void release() {
      buffers.give(block);
    }
  }
}
