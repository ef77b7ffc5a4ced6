package dev.drover.formats;

/**
 * The text of JSON strings.
 *
 * <p>{@link #copy} is ugly because every byte of an envelope goes through it: it takes eight bytes
 * at a time, and stores run over the end by up to seven. {@code PlainJson} in the tests says what
 * it means.
 */
public final class JsonStrings {

  private static final int HEX_DIGITS = 4;
  private static final int UNIT_BYTES = HEX_DIGITS + 2;

  /** What stands behind a backslash and what it means; 0 for none and for {@code u}. */
  private static final byte[] MEANINGS = new byte[256];

  static {
    String escapes = "\"\\/bfnrt";
    String meanings = "\"\\/\b\f\n\r\t";
    for (int i = 0; i < escapes.length(); i++) {
      MEANINGS[escapes.charAt(i)] = (byte) meanings.charAt(i);
    }
  }

  private JsonStrings() {}

  /**
   * Writes the text that the inside of a JSON string stands for.
   *
   * @param to after the last byte, the quote not among them; there is room for 8 bytes behind it
   * @return false if it holds half of a surrogate pair, which no text can
   */
  public static boolean unescape(byte[] in, int from, int to, JsonOutput out) {
    return copy(in, from, to, out) == to;
  }

  /**
   * Writes the text that the inside of a JSON string stands for, up to its closing quote.
   *
   * @param end where the string must have ended
   * @return the index of the closing quote, or of a control character; {@code end} if there is
   *     neither; the complement of the index of a backslash behind which there is no escape, or
   *     half of a surrogate pair
   */
  static int copy(byte[] in, int from, int end, JsonOutput out) {
    out.reserve(end - from);
    byte[] bytes = out.bytes;
    int i = from;
    int o = out.at;
    while (true) {
      long x = Swar.load(in, i);
      Swar.store(bytes, o, x);
      long hits = JsonText.escaped(x);
      int left = end - i;
      if (left <= Long.BYTES) {
        hits &= -1L >>> ((Long.BYTES - left) << 3);
        if (hits == 0 || left == 0) {
          out.at = o + left;
          return end;
        }
      } else if (hits == 0) {
        i += Long.BYTES;
        o += Long.BYTES;
        continue;
      }
      int clean = Long.numberOfTrailingZeros(hits) >>> 3;
      i += clean;
      o += clean;
      if (in[i] != '\\') {
        out.at = o;
        return i;
      }
      byte meaning = i + 1 < end ? MEANINGS[in[i + 1] & 0xff] : 0;
      if (meaning != 0) {
        bytes[o++] = meaning;
        i += 2;
        continue;
      }
      out.at = o;
      int after = unit(in, i, end, out);
      if (after < 0) {
        return ~i;
      }
      i = after;
      o = out.at;
    }
  }

  /** Whether a backslash and this byte are an escape of two bytes. */
  static boolean isShortEscape(byte b) {
    return MEANINGS[b & 0xff] != 0;
  }

  /** Writes what {@code \}{@code u} and its digits mean, and those of the other half. */
  private static int unit(byte[] in, int at, int end, JsonOutput out) {
    int unit = hex(in, at, end);
    if (unit < 0 || Character.isLowSurrogate((char) unit)) {
      return -1;
    }
    int after = at + UNIT_BYTES;
    if (Character.isHighSurrogate((char) unit)) {
      int low = hex(in, after, end);
      if (low < 0 || !Character.isLowSurrogate((char) low)) {
        return -1;
      }
      unit = Character.toCodePoint((char) unit, (char) low);
      after += UNIT_BYTES;
    }
    codePoint(unit, out);
    return after;
  }

  /** The unit that is escaped here; negative if none is. */
  private static int hex(byte[] in, int at, int end) {
    if (at + UNIT_BYTES > end || in[at] != '\\' || in[at + 1] != 'u') {
      return -1;
    }
    int value = 0;
    for (int i = at + 2; i < at + UNIT_BYTES; i++) {
      int digit = Character.digit(in[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /** Not longer than its escape, for which there is room. */
  private static void codePoint(int point, JsonOutput out) {
    if (point < 0x80) {
      out.bytes[out.at++] = (byte) point;
    } else if (point < 0x800) {
      out.bytes[out.at++] = (byte) (0xc0 | point >> 6);
      out.bytes[out.at++] = (byte) (0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
      out.bytes[out.at++] = (byte) (0xe0 | point >> 12);
      out.bytes[out.at++] = (byte) (0x80 | (point >> 6 & 0x3f));
      out.bytes[out.at++] = (byte) (0x80 | (point & 0x3f));
    } else {
      out.bytes[out.at++] = (byte) (0xf0 | point >> 18);
      out.bytes[out.at++] = (byte) (0x80 | (point >> 12 & 0x3f));
      out.bytes[out.at++] = (byte) (0x80 | (point >> 6 & 0x3f));
      out.bytes[out.at++] = (byte) (0x80 | (point & 0x3f));
    }
  }
}
