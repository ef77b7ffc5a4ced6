package dev.drover.formats;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;

/**
 * The start of a CSV stream, before its first record: a byte-order mark, lines to leave out, and
 * the delimiter if the first record is to tell it. One thread.
 */
final class CsvStart {

  private static final byte[] DELIMITERS = {',', ';', '\t', '|'};

  private CsvDialect dialect;
  private int skippedLines;

  CsvStart(CsvDialect dialect) {
    this.dialect = dialect;
  }

  /** With a delimiter once {@link #find} has said where the first record is. */
  CsvDialect dialect() {
    return dialect;
  }

  /** How many lines were left out. */
  int skippedLines() {
    return skippedLines;
  }

  /**
   * Where the first record begins.
   *
   * @param end whether the stream ends after these bytes
   * @return negative if more bytes are needed to tell
   */
  int find(byte[] block, int length, boolean end) {
    if (length < 3 && !end) {
      return -1;
    }
    boolean marked =
        length >= 3
            && block[0] == (byte) 0xef
            && block[1] == (byte) 0xbb
            && block[2] == (byte) 0xbf;
    int at = skip(block, marked ? 3 : 0, length, end);
    if (at < 0) {
      return at;
    }
    if (dialect.delimiter() == CsvDialect.AUTO) {
      byte found = delimiter(block, at, length, end);
      if (found == CsvDialect.AUTO) {
        return -1;
      }
      dialect = dialect.withDelimiter(found);
    }
    return at;
  }

  private int skip(byte[] block, int from, int length, boolean end) {
    int at = from;
    for (int line = 0; line < dialect.skipRows(); line++) {
      while (at < length && block[at] != '\n' && block[at] != '\r') {
        at++;
      }
      if (length - from > dialect.maxRecordBytes() && at >= length) {
        throw new DroverException(
            ErrorCode.LIMIT_EXCEEDED,
            "line %d, which is to be skipped, is longer than `max_record_bytes` (%,d)"
                .formatted(line + 1, dialect.maxRecordBytes()));
      }
      if (at + 1 >= length && !end) {
        return -1;
      }
      boolean both = at + 1 < length && block[at] == '\r' && block[at + 1] == '\n';
      at = Math.min(length, at + (both ? 2 : 1));
    }
    skippedLines = CsvText.lineEnds(block, from, at);
    return at;
  }

  /** The one that is most often in the first record that is not empty, outside quotes. */
  private byte delimiter(byte[] block, int from, int length, boolean end) {
    int[] counts = new int[DELIMITERS.length];
    boolean inside = false;
    boolean any = false;
    for (int i = from; i < length; i++) {
      byte b = block[i];
      if (b == dialect.quote()) {
        inside = !inside;
      } else if (!inside && (b == '\n' || b == '\r')) {
        if (any) {
          return most(counts);
        }
        continue;
      }
      any = true;
      for (int d = 0; d < DELIMITERS.length && !inside; d++) {
        counts[d] += b == DELIMITERS[d] ? 1 : 0;
      }
    }
    return end || length - from > dialect.maxRecordBytes() ? most(counts) : CsvDialect.AUTO;
  }

  private static byte most(int[] counts) {
    int best = 0;
    for (int d = 1; d < counts.length; d++) {
      best = counts[d] > counts[best] ? d : best;
    }
    return DELIMITERS[best];
  }
}
