package dev.drover.formats;

import static dev.drover.formats.Swar.HIGH;
import static dev.drover.formats.Swar.LOW;
import static dev.drover.formats.Swar.load;

import java.util.Arrays;

/**
 * Finds the separators of CSV text, that is the delimiters and line ends outside quotes, as a bit
 * for each byte.
 *
 * <p>This class is ugly because every input byte goes through it on the one thread that reads. It
 * looks at 64 bytes at a time, in four steps without a branch:
 *
 * <ol>
 *   <li>one bit a byte for quotes and one for delimiters and line ends;
 *   <li>the prefix-xor of the quotes is 1 from an opening quote to the byte before its closing one.
 *       A doubled quote closes and opens again, which hides no separator;
 *   <li>separators are those where that is 0;
 *   <li>this holds only if each opening quote comes after a separator or right after a closing one,
 *       and each closing one before a separator or a quote. If not, the 64 bytes are walked one by
 *       one.
 * </ol>
 *
 * <p>What it means is said plainly by {@code PlainCsv} in the tests, which also compare the two.
 */
final class CsvScanner {

  /** Moves the highest bits of eight bytes to the top byte when multiplied. */
  private static final long GATHER = 0x0002040810204081L;

  private static final long LINE_FEEDS = Swar.spread((byte) '\n');
  private static final long RETURNS = Swar.spread((byte) '\r');

  private final byte quote;
  private final byte delimiter;
  private final long quotes;
  private final long delimiters;
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

  CsvScanner(byte delimiter, byte quote) {
    this.delimiter = delimiter;
    this.quote = quote;
    delimiters = Swar.spread(delimiter);
    quotes = Swar.spread(quote);
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
    long quoted = inQuotes;
    long afterSeparator = separated;
    long afterClosing = closed;
    long all = seen;
    long hidden = quotedSeparators;
    for (int word = fromWord; word < toWord; word++) {
      int at = word << 6;
      long x = load(block, at);
      all |= x;
      long q = quoteBits(x);
      long s = separatorBits(x);
      x = load(block, at + 8);
      all |= x;
      q |= quoteBits(x) << 8;
      s |= separatorBits(x) << 8;
      x = load(block, at + 16);
      all |= x;
      q |= quoteBits(x) << 16;
      s |= separatorBits(x) << 16;
      x = load(block, at + 24);
      all |= x;
      q |= quoteBits(x) << 24;
      s |= separatorBits(x) << 24;
      x = load(block, at + 32);
      all |= x;
      q |= quoteBits(x) << 32;
      s |= separatorBits(x) << 32;
      x = load(block, at + 40);
      all |= x;
      q |= quoteBits(x) << 40;
      s |= separatorBits(x) << 40;
      x = load(block, at + 48);
      all |= x;
      q |= quoteBits(x) << 48;
      s |= separatorBits(x) << 48;
      x = load(block, at + 56);
      all |= x;
      q |= quoteBits(x) << 56;
      s |= separatorBits(x) << 56;

      long inside = prefixXor(q) ^ quoted;
      hidden |= s & inside;
      s &= ~inside;
      long opening = q & inside;
      long closing = q & ~inside;
      long stray = opening & ~(((s | closing) << 1) | afterSeparator | afterClosing);
      long junk = ((closing << 1) | afterClosing) & ~(s | opening);
      if ((stray | junk) == 0) {
        index[word] = s;
        quoted = inside >> 63;
        afterSeparator = s >>> 63;
        afterClosing = closing >>> 63;
      } else {
        inQuotes = quoted;
        separated = afterSeparator;
        closed = afterClosing;
        quotedSeparators = hidden;
        index[word] = walk(block, at, Long.SIZE);
        quoted = inQuotes;
        afterSeparator = separated;
        afterClosing = closed;
        hidden = quotedSeparators;
      }
    }
    inQuotes = quoted;
    separated = afterSeparator;
    closed = afterClosing;
    seen = all;
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

  private long quoteBits(long x) {
    return (Swar.matches(x, quotes) * GATHER) >>> 56;
  }

  private long separatorBits(long x) {
    long ascii = x & LOW;
    long others =
        ((ascii ^ delimiters) + LOW) & ((ascii ^ LINE_FEEDS) + LOW) & ((ascii ^ RETURNS) + LOW);
    return ((~others & ~x & HIGH) * GATHER) >>> 56;
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
