package dev.drover.transforms;

import dev.drover.formats.JsonOutput;
import dev.drover.formats.JsonValues;
import dev.drover.spi.Batch;
import dev.drover.spi.Type;

/** Puts new values into the arena of a batch. */
final class Values {

  private Values() {}

  /** Bytes as a slice of the arena. */
  static long append(Rows rows, byte[] bytes) {
    JsonOutput out = rows.output();
    int from = out.at;
    out.put(bytes, 0, bytes.length);
    return Batch.slice(from, bytes.length);
  }

  /** A cell of any type as JSON. */
  static long asJson(Type type, long cell, Rows rows) {
    if (type == Type.JSON) {
      return cell;
    }
    byte[] arena = rows.arena();
    JsonOutput out = rows.output();
    int from = out.at;
    JsonValues.write(out, type, arena, cell);
    return Batch.slice(from, out.at - from);
  }

  /**
   * Writes the text that the inside of a JSON string stands for.
   *
   * @param to after the last byte, the quote not among them
   * @return false if it holds half of a surrogate pair, which no text can
   */
  static boolean unescape(byte[] in, int from, int to, JsonOutput out) {
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
          i += 4;
          if (Character.isHighSurrogate((char) unit)) {
            if (i + 6 > to || in[i] != '\\' || in[i + 1] != 'u') {
              return false;
            }
            int low = hex(in, i + 2);
            if (!Character.isLowSurrogate((char) low)) {
              return false;
            }
            i += 6;
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
    for (int i = at; i < at + 4; i++) {
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
