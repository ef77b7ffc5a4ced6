package dev.drover.formats;

import java.util.Arrays;

/**
 * Writes a text as a field of CSV, in quotes where it would be read as something else without them:
 * with a delimiter, a quote or a line end in it; empty text, which would be null; text that stands
 * for null; and {@code \.}, which ends the input of some databases.
 *
 * <p>Every byte of CSV goes through {@link #write}, so it copies eight bytes at a time and tests
 * them at once. {@code CsvOutTest} has the plain form.
 */
final class CsvField {

  private static final long QUOTES = Swar.spread((byte) '"');
  private static final long FEEDS = Swar.spread((byte) '\n');
  private static final long RETURNS = Swar.spread((byte) '\r');

  private final long delimiters;
  private final byte[] nullText;

  CsvField(CsvStyle style) {
    this.delimiters = Swar.spread(style.delimiter());
    this.nullText = style.nullBytes();
  }

  private long special(long x) {
    return Swar.matches(x, QUOTES)
        | Swar.matches(x, delimiters)
        | Swar.matches(x, FEEDS)
        | Swar.matches(x, RETURNS);
  }

  /**
   * @param in with seven bytes behind the text that may be read
   */
  void write(JsonOutput out, byte[] in, int from, int length) {
    out.reserve(length + 2 + Long.BYTES);
    byte[] bytes = out.bytes;
    int o = out.at;
    int end = from + length;
    int i = from;
    for (; end - i > Long.BYTES; i += Long.BYTES, o += Long.BYTES) {
      long x = Swar.load(in, i);
      if (special(x) != 0) {
        quoted(out, in, from, length);
        return;
      }
      Swar.store(bytes, o, x);
    }
    int left = end - i;
    long x = Swar.load(in, i);
    long hits = left == 0 ? 0 : special(x) & (-1L >>> ((Long.BYTES - left) << 3));
    if (hits != 0 || length == 0 || isOther(in, from, length)) {
      quoted(out, in, from, length);
      return;
    }
    Swar.store(bytes, o, x);
    out.at = o + left;
  }

  /** Whether it means something else without quotes, whatever is in it. */
  private boolean isOther(byte[] in, int from, int length) {
    if (length == 2 && in[from] == '\\' && in[from + 1] == '.') {
      return true;
    }
    return length == nullText.length
        && Arrays.equals(in, from, from + length, nullText, 0, nullText.length);
  }

  private static void quoted(JsonOutput out, byte[] in, int from, int length) {
    out.put('"');
    int end = from + length;
    int start = from;
    for (int i = from; i < end; i++) {
      if (in[i] == '"') {
        out.put(in, start, i + 1 - start);
        start = i;
      }
    }
    out.put(in, start, end - start);
    out.put('"');
  }

  /** Text in which quotes are doubled already. */
  static void doubled(JsonOutput out, byte[] in, int from, int length) {
    out.put('"');
    out.put(in, from, length);
    out.put('"');
  }
}
