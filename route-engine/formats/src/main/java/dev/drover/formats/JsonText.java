package dev.drover.formats;

import static dev.drover.formats.Swar.HIGH;
import static dev.drover.formats.Swar.ONES;
import static dev.drover.formats.Swar.load;
import static dev.drover.formats.Swar.store;

import java.nio.charset.StandardCharsets;

/**
 * Writes UTF-8 text as the inside of a JSON string.
 *
 * <p>This class is ugly because every output byte of JSON lines goes through it. It copies eight
 * bytes at a time and tests the eight at once for what must be escaped; stores run over the end by
 * up to seven bytes, which the next store covers. {@code PlainJson} in the tests says what it
 * means.
 */
final class JsonText {

  /** How many times longer text can become: {@code \}{@code u0001} for one byte. */
  static final int GROWTH = 6;

  private static final long QUOTES = Swar.spread((byte) '"');
  private static final long BACKSLASHES = Swar.spread((byte) '\\');
  private static final long SPACES = Swar.spread((byte) ' ');

  /** Turns a quote into a backslash. */
  private static final long QUOTE_TO_BACKSLASH = '"' ^ '\\';

  /** The escape of an ASCII byte as it is stored, and its length. */
  private static final long[] ESCAPES = new long[128];

  private static final byte[] ESCAPE_LENGTHS = new byte[128];

  static {
    for (int c = 0; c < ' '; c++) {
      escape(c, "\\u%04x".formatted(c));
    }
    escape('\b', "\\b");
    escape('\t', "\\t");
    escape('\n', "\\n");
    escape('\f', "\\f");
    escape('\r', "\\r");
    escape('"', "\\\"");
    escape('\\', "\\\\");
  }

  private JsonText() {}

  private static void escape(int c, String text) {
    byte[] bytes = new byte[Long.BYTES];
    byte[] written = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(written, 0, bytes, 0, written.length);
    ESCAPES[c] = load(bytes, 0);
    ESCAPE_LENGTHS[c] = (byte) written.length;
  }

  /**
   * Writes text; up to {@link #GROWTH} bytes for each of its bytes, and seven more.
   *
   * @return the index after what was written
   */
  static int write(byte[] in, int from, int length, byte[] out, int to) {
    int end = from + length;
    int i = from;
    int o = to;
    while (true) {
      long x = load(in, i);
      store(out, o, x);
      long hits = escaped(x);
      int left = end - i;
      if (left <= Long.BYTES) {
        hits &= -1L >>> ((Long.BYTES - left) << 3);
        if (hits == 0 || left == 0) {
          return o + left;
        }
      } else if (hits == 0) {
        i += Long.BYTES;
        o += Long.BYTES;
        continue;
      }
      int clean = Long.numberOfTrailingZeros(hits) >>> 3;
      i += clean;
      byte b = in[i++];
      store(out, o + clean, ESCAPES[b]);
      o += clean + ESCAPE_LENGTHS[b];
    }
  }

  /**
   * As {@link #write} for text in which each quote is doubled. The pair is just as long as the
   * escaped quote, so the first of each pair becomes a backslash in place: it is the one with an
   * even number of quotes before it.
   */
  static int writeDoubled(byte[] in, int from, int length, byte[] out, int to) {
    int end = from + length;
    int i = from;
    int o = to;
    long odd = 0;
    while (true) {
      long x = load(in, i);
      long quotes = Swar.matches(x, QUOTES) >>> 7;
      long counts = quotes * ONES;
      // Past the end of the text this may change bytes, but nobody reads them.
      store(out, o, x ^ (((counts ^ odd) & quotes) * QUOTE_TO_BACKSLASH));
      long hits = ((x - SPACES) | ((x ^ BACKSLASHES) - ONES)) & ~x & HIGH;
      int left = end - i;
      if (left <= Long.BYTES) {
        hits &= -1L >>> ((Long.BYTES - left) << 3);
        if (hits == 0 || left == 0) {
          return o + left;
        }
      } else if (hits == 0) {
        odd ^= -((counts >>> 56) & 1);
        i += Long.BYTES;
        o += Long.BYTES;
        continue;
      }
      int clean = Long.numberOfTrailingZeros(hits) >>> 3;
      odd ^= -(Long.bitCount(quotes & ~(-1L << (clean << 3))) & 1L);
      i += clean;
      byte b = in[i++];
      store(out, o + clean, ESCAPES[b]);
      o += clean + ESCAPE_LENGTHS[b];
    }
  }

  /** Writes a JSON document on one line: a line end in it can only be white space. */
  static int copyDocument(byte[] in, int from, int length, byte[] out, int to) {
    int end = to + length;
    long controls = 0;
    for (int i = from, o = to; o < end; i += Long.BYTES, o += Long.BYTES) {
      long x = load(in, i);
      store(out, o, x);
      controls |= controls(x);
    }
    // What lies behind the document counts too, and does no harm.
    for (int i = to; controls != 0 && i < end; i++) {
      if (out[i] == '\n' || out[i] == '\r') {
        out[i] = ' ';
      }
    }
    return end;
  }

  /** Not 0 if there is a byte below the blank. */
  private static long controls(long x) {
    return (x - SPACES) & ~x & HIGH;
  }

  /** High bits in bytes that must be escaped; exact up to the first. */
  static long escaped(long x) {
    return ((x - SPACES) | ((x ^ QUOTES) - ONES) | ((x ^ BACKSLASHES) - ONES)) & ~x & HIGH;
  }
}
