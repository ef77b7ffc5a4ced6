package dev.drover.formats;

/** The text of JSON strings. */
public final class JsonStrings {

  private static final int HEX_DIGITS = 4;
  private static final int UNIT_BYTES = HEX_DIGITS + 2;

  private JsonStrings() {}

  /**
   * Writes the text that the inside of a JSON string stands for.
   *
   * @param to after the last byte, the quote not among them
   * @return false if it holds half of a surrogate pair, which no text can
   */
  public static boolean unescape(byte[] in, int from, int to, JsonOutput out) {
    int i = from;
    while (i < to) {
      int run = i;
      while (i < to && in[i] != '\\') {
        i++;
      }
      out.put(in, run, i - run);
      if (i == to) {
        break;
      }
      byte escaped = in[i + 1];
      i += 2;
      switch (escaped) {
        case 'b' -> out.put('\b');
        case 'f' -> out.put('\f');
        case 'n' -> out.put('\n');
        case 'r' -> out.put('\r');
        case 't' -> out.put('\t');
        case 'u' -> {
          int unit = hex(in, i);
          i += HEX_DIGITS;
          if (Character.isHighSurrogate((char) unit)) {
            if (i + UNIT_BYTES > to || in[i] != '\\' || in[i + 1] != 'u') {
              return false;
            }
            int low = hex(in, i + 2);
            if (!Character.isLowSurrogate((char) low)) {
              return false;
            }
            i += UNIT_BYTES;
            unit = Character.toCodePoint((char) unit, (char) low);
          } else if (Character.isLowSurrogate((char) unit)) {
            return false;
          }
          codePoint(unit, out);
        }
        default -> out.put((char) escaped);
      }
    }
    return true;
  }

  private static int hex(byte[] in, int at) {
    int value = 0;
    for (int i = at; i < at + HEX_DIGITS; i++) {
      value = value << 4 | Character.digit(in[i], 16);
    }
    return value;
  }

  private static void codePoint(int point, JsonOutput out) {
    out.reserve(4);
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
