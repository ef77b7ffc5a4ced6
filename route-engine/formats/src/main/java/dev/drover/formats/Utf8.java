package dev.drover.formats;

/** Strict UTF-8: no surrogates, no overlong forms, nothing above U+10FFFF. */
public final class Utf8 {

  private static final int STRIDE = 4 * Long.BYTES;

  private Utf8() {}

  /** The index of the first byte that is not part of a character; -1 if there is none. */
  public static int firstInvalid(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      // Most text is ASCII.
      while (to - i >= STRIDE
          && ((Swar.load(bytes, i)
                      | Swar.load(bytes, i + Long.BYTES)
                      | Swar.load(bytes, i + 2 * Long.BYTES)
                      | Swar.load(bytes, i + 3 * Long.BYTES))
                  & Swar.HIGH)
              == 0) {
        i += STRIDE;
      }
      if (to - i >= Long.BYTES) {
        long high = Swar.load(bytes, i) & Swar.HIGH;
        if (high == 0) {
          i += Long.BYTES;
          continue;
        }
        i += Long.numberOfTrailingZeros(high) >>> 3;
      }
      if (bytes[i] >= 0) {
        i++;
        continue;
      }
      int length = length(bytes, i, to);
      if (length == 0) {
        return i;
      }
      i += length;
    }
    return -1;
  }

  /** The number of characters that begin in the range, each stray byte taken for one. */
  static int codePoints(byte[] bytes, int from, int to) {
    int count = 0;
    for (int i = from; i < to; count++) {
      i += bytes[i] >= 0 ? 1 : Math.max(1, length(bytes, i, to));
    }
    return count;
  }

  /** How long the well-formed character of more than one byte is; 0 if it is none. */
  private static int length(byte[] bytes, int at, int to) {
    int first = bytes[at] & 0xff;
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > to) {
      return 0;
    }
    int second = bytes[at + 1] & 0xff;
    int lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) {
      return 0;
    }
    for (int i = at + 2; i < at + length; i++) {
      if ((bytes[i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
