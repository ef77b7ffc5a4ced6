package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import org.jspecify.annotations.Nullable;

/**
 * The plain reading of CSV bytes, one at a time: for headers, for places, for rows that are
 * refused.
 */
final class CsvText {

  private static final int SHOWN_BYTES = 24;
  private static final long LINE_FEEDS = Swar.spread((byte) '\n');
  private static final long RETURNS = Swar.spread((byte) '\r');

  private CsvText() {}

  /** The number of line ends; CR LF is one. Up to seven bytes after the range are read. */
  static int lineEnds(byte[] bytes, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i += Long.BYTES) {
      long x = Swar.load(bytes, i);
      long inRange = to - i < Long.BYTES ? ~(-1L << ((to - i) << 3)) : -1L;
      long feeds = Swar.matches(x, LINE_FEEDS) & inRange;
      long returns = Swar.matches(x, RETURNS) & inRange;
      count += Long.bitCount(feeds);
      if (returns != 0) {
        long fed = feeds >>> Byte.SIZE;
        if (i + Long.BYTES < to && bytes[i + Long.BYTES] == '\n') {
          fed |= Long.MIN_VALUE;
        }
        count += Long.bitCount(returns & ~fed);
      }
    }
    return count;
  }

  /** Writes each pair of quotes in the range as one, in place; the new length. */
  static int undouble(byte[] bytes, int from, int to, byte quote) {
    int write = from;
    for (int read = from; read < to; read++) {
      byte b = bytes[read];
      bytes[write++] = b;
      if (b == quote) {
        read++;
      }
    }
    return write - from;
  }

  /** Undoes {@link #undouble}: the range is its result, and grows again. */
  static void redouble(byte[] bytes, int from, int to, byte quote) {
    int write = to;
    for (int i = from; i < to; i++) {
      write += bytes[i] == quote ? 1 : 0;
    }
    for (int read = to - 1; read >= from; read--) {
      byte b = bytes[read];
      bytes[--write] = b;
      if (b == quote) {
        bytes[--write] = b;
      }
    }
  }

  /**
   * What is wrong with the quotes of a record; null if nothing is.
   *
   * @param line the line on which the record begins, from 1
   * @param advice null if it has none for this record
   */
  static @Nullable RejectedRow quoting(
      byte[] bytes,
      int from,
      int to,
      CsvDialect dialect,
      long record,
      long line,
      @Nullable CsvAdvice advice) {
    int i = from;
    while (i < to) {
      if (bytes[i] == dialect.quote()) {
        int opened = i++;
        while (i < to && (bytes[i] != dialect.quote() || isDoubled(bytes, i, to))) {
          i += bytes[i] == dialect.quote() ? 2 : 1;
        }
        if (i == to) {
          return refused(
                  ErrorCode.BAD_QUOTING,
                  "a quote opens here and is never closed: " + shown(bytes, opened, to),
                  new Place(bytes, from, opened, record, line))
              .withSuggestion(advice == null ? null : advice.quoting(bytes, from, to, opened));
        }
        i++;
        if (i < to && bytes[i] != dialect.delimiter()) {
          return refused(
                  ErrorCode.BAD_QUOTING,
                  "text after a closing quote: "
                      + shown(bytes, i, to)
                      + "; a quote inside a quoted field is written twice",
                  new Place(bytes, from, i, record, line))
              .withSuggestion(advice == null ? null : advice.quoting(bytes, from, to, i));
        }
      }
      while (i < to && bytes[i] != dialect.delimiter()) {
        i++;
      }
      i++;
    }
    return null;
  }

  private static boolean isDoubled(byte[] bytes, int at, int to) {
    return at + 1 < to && bytes[at + 1] == bytes[at];
  }

  /** The row whose byte at {@code invalid} is not UTF-8. */
  static RejectedRow encoding(byte[] bytes, int from, int invalid, long record, long line) {
    return refused(
        ErrorCode.INVALID_ENCODING,
        "the byte 0x%02x is not UTF-8, the encoding that is expected"
            .formatted(bytes[invalid] & 0xff),
        new Place(bytes, from, invalid, record, line));
  }

  /** The text of a range for a message: cut short, on one line. */
  static String shown(byte[] bytes, int from, int to) {
    int end = Math.min(to, from + SHOWN_BYTES);
    while (end < to && end > from && (bytes[end] & 0xc0) == 0x80) {
      end--;
    }
    String text = new String(bytes, from, end - from, UTF_8).replaceAll("\\p{Cntrl}", " ");
    return end < to ? text + "…" : text;
  }

  private static RejectedRow refused(ErrorCode code, String message, Place place) {
    return new RejectedRow(code, place.record(), place.line(), place.column(), message);
  }

  /** A place in a record, which may have many lines. */
  private record Place(long record, long line, int column) {

    Place(byte[] bytes, int from, int at, long record, long line) {
      this(
          record,
          line + lineEnds(bytes, from, at),
          Utf8.codePoints(bytes, lineStart(bytes, from, at), at) + 1);
    }

    private static int lineStart(byte[] bytes, int from, int at) {
      int i = at;
      while (i > from && bytes[i - 1] != '\n' && bytes[i - 1] != '\r') {
        i--;
      }
      return i;
    }
  }
}
