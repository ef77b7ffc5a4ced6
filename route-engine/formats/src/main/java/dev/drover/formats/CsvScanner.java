package dev.drover.formats;

import static dev.drover.formats.Swar.HIGH;
import static dev.drover.formats.Swar.load;

import java.util.Arrays;

/**
 * Finds the separators of CSV text, that is the delimiters and line ends outside quotes, as a bit
 * for each byte.
 *
 * <p>This class is ugly because every input byte goes through it on the one thread that reads. It
 * looks at 64 bytes at a time, in steps without a branch:
 *
 * <ol>
 *   <li>{@link #mark}: one bit a byte for quotes, and one for delimiters and line ends;
 *   <li>{@link #scanMarked}: the prefix-xor of the quotes is 1 from an opening quote to the byte
 *       before its closing one. A doubled quote closes and opens again, which hides no separator;
 *   <li>separators are those where that is 0;
 *   <li>this holds only if each opening quote comes after a separator or right after a closing one,
 *       and each closing one before a separator or a quote. If not, the 64 bytes are walked one by
 *       one.
 * </ol>
 *
 * <p>The first step is a loop of its own because it is compiled soon, after a few thousand of its
 * short turns, and because all that it needs fits into registers. For the same reason its patterns
 * are fields: the compiler would write constants into the code again at each use.
 *
 * <p>What it means is said plainly by {@code PlainCsv} in the tests, which also compare the two.
 */
final class CsvScanner {

  /** Words of 64 bytes that are marked at once: what stays in the first-level cache. */
  private static final int MARKED_WORDS = 64;

  private final int quote;
  private final byte delimiter;
  private final long quotes;

  /** No bit set if nothing encloses fields. */
  private final long quoting;

  private final long delimiters;
  private final long lineFeeds;
  private final long returns;
  private final long low;
  private final long high;

  /** Moves the highest bits of eight bytes to the top byte when multiplied. */
  private final long gather;

  private final byte[] quoteMarks = new byte[MARKED_WORDS * Long.BYTES];
  private final byte[] separatorMarks = new byte[MARKED_WORDS * Long.BYTES];
  private final byte[] tail = new byte[Long.SIZE];

  /** All bits set if the next byte is inside quotes. */
  private long inQuotes;

  /** 1 if the last byte was a separator or there was none. */
  private long separated = 1;

  /** 1 if the last byte was a quote that closed. */
  private long closed;

  private long seen;
  private long quotedSeparators;
  private boolean malformed;

  CsvScanner(byte delimiter, int quote) {
    this.delimiter = delimiter;
    this.quote = quote;
    boolean none = quote == CsvDialect.NONE;
    quotes = none ? 0 : Swar.spread((byte) quote);
    quoting = none ? 0 : -1;
    delimiters = Swar.spread(delimiter);
    lineFeeds = Swar.spread((byte) '\n');
    returns = Swar.spread((byte) '\r');
    low = Swar.LOW;
    high = Swar.HIGH;
    gather = 0x0002040810204081L;
  }

  /** Begins a record. */
  void restart() {
    inQuotes = 0;
    separated = 1;
    closed = 0;
    seen = 0;
    quotedSeparators = 0;
    malformed = false;
  }

  /** Whether a byte above 0x7f was seen since the {@link #restart}. */
  boolean nonAscii() {
    return (seen & HIGH) != 0;
  }

  /** Whether a separator was seen inside quotes; true also if that is not known. */
  boolean quotedSeparators() {
    return quotedSeparators != 0;
  }

  /** Whether text was seen between a closing quote and the next separator. */
  boolean malformed() {
    return malformed;
  }

  /** Scans whole words of 64 bytes and goes on there the next time. */
  void scan(byte[] block, int fromWord, int toWord, long[] index) {
    for (int word = fromWord; word < toWord; word += MARKED_WORDS) {
      int words = Math.min(MARKED_WORDS, toWord - word);
      mark(block, word << 6, words << 3);
      scanMarked(block, word, words, index);
    }
  }

  /** Writes a byte of marks for each eight bytes: a bit for each that {@link Swar#matches}. */
  private void mark(byte[] block, int from, int count) {
    byte[] quoteBits = quoteMarks;
    byte[] separatorBits = separatorMarks;
    long q = quotes;
    long n = quoting;
    long d = delimiters;
    long f = lineFeeds;
    long r = returns;
    long l = low;
    long h = high;
    long g = gather;
    long all = seen;
    for (int i = 0; i < count; i++) {
      long x = load(block, from + (i << 3));
      all |= x;
      long ascii = x & l;
      long candidates = ~x & h;
      long separators = ~(((ascii ^ d) + l) & ((ascii ^ f) + l) & ((ascii ^ r) + l)) & candidates;
      quoteBits[i] = (byte) (((~((ascii ^ q) + l) & candidates & n) * g) >>> 56);
      separatorBits[i] = (byte) ((separators * g) >>> 56);
    }
    seen = all;
  }

  private void scanMarked(byte[] block, int fromWord, int words, long[] index) {
    long quoted = inQuotes;
    long afterSeparator = separated;
    long afterClosing = closed;
    long hidden = quotedSeparators;
    for (int i = 0; i < words; i++) {
      long q = load(quoteMarks, i << 3);
      long s = load(separatorMarks, i << 3);
      long inside = prefixXor(q) ^ quoted;
      hidden |= s & inside;
      s &= ~inside;
      long opening = q & inside;
      long closing = q & ~inside;
      long stray = opening & ~(((s | closing) << 1) | afterSeparator | afterClosing);
      long junk = ((closing << 1) | afterClosing) & ~(s | opening);
      if ((stray | junk) == 0) {
        index[fromWord + i] = s;
        quoted = inside >> 63;
        afterSeparator = s >>> 63;
        afterClosing = closing >>> 63;
      } else {
        inQuotes = quoted;
        separated = afterSeparator;
        closed = afterClosing;
        quotedSeparators = hidden;
        index[fromWord + i] = walk(block, (fromWord + i) << 6, Long.SIZE);
        quoted = inQuotes;
        afterSeparator = separated;
        afterClosing = closed;
        hidden = quotedSeparators;
      }
    }
    inQuotes = quoted;
    separated = afterSeparator;
    closed = afterClosing;
    quotedSeparators = hidden;
  }

  /**
   * Scans less than a word without moving on.
   *
   * @return whether the bytes end inside quotes
   */
  boolean peek(byte[] block, int word, int count, long[] index) {
    long quoted = inQuotes;
    long afterSeparator = separated;
    long afterClosing = closed;
    Arrays.fill(tail, (byte) 0);
    System.arraycopy(block, word << 6, tail, 0, count);
    for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
      seen |= load(tail, i);
    }
    index[word] = walk(tail, 0, count);
    boolean open = inQuotes != 0;
    inQuotes = quoted;
    separated = afterSeparator;
    closed = afterClosing;
    return open;
  }

  /** The rules one byte at a time, from the state in the fields and back to it. */
  private long walk(byte[] block, int from, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      byte b = block[from + i];
      boolean separates = b == delimiter || b == '\n' || b == '\r';
      if (inQuotes != 0) {
        if (b == quote) {
          inQuotes = 0;
          closed = 1;
        } else if (separates) {
          quotedSeparators = 1;
        }
      } else if (separates) {
        bits |= 1L << i;
        separated = 1;
        closed = 0;
      } else {
        if (b == quote && (separated | closed) != 0) {
          inQuotes = -1;
        } else if (closed != 0) {
          malformed = true;
        }
        separated = 0;
        closed = 0;
      }
    }
    return bits;
  }

  private static long prefixXor(long bits) {
    long x = bits;
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    return x ^ (x << 32);
  }
}
