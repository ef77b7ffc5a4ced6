package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * What the fast writing of JSON strings means, one byte at a time: the plain twin of {@link
 * JsonText}.
 */
final class PlainJson {

  private PlainJson() {}

  static byte[] escape(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte b : text) {
      switch (b) {
        case '"', '\\' -> {
          out.write('\\');
          out.write(b);
        }
        case '\b' -> out.writeBytes("\\b".getBytes(US_ASCII));
        case '\t' -> out.writeBytes("\\t".getBytes(US_ASCII));
        case '\n' -> out.writeBytes("\\n".getBytes(US_ASCII));
        case '\f' -> out.writeBytes("\\f".getBytes(US_ASCII));
        case '\r' -> out.writeBytes("\\r".getBytes(US_ASCII));
        default -> {
          if (b >= 0 && b < ' ') {
            out.writeBytes("\\u%04x".formatted(b).getBytes(US_ASCII));
          } else {
            out.write(b);
          }
        }
      }
    }
    return out.toByteArray();
  }

  static byte[] undouble(byte[] text) {
    return new String(text, ISO_8859_1).replace("\"\"", "\"").getBytes(ISO_8859_1);
  }

  /** Reads what stands behind an opening quote, as {@link JsonStrings#copy} does. */
  static int text(byte[] in, int from, int end, ByteArrayOutputStream out) {
    int i = from;
    while (i < end) {
      byte b = in[i];
      if (b == '"' || (b >= 0 && b < ' ')) {
        return i;
      }
      if (b != '\\') {
        out.write(b);
        i++;
        continue;
      }
      String rest = new String(in, i, Math.min(12, end - i), ISO_8859_1);
      if (rest.matches("(?s)\\\\[\"\\\\/bfnrt].*")) {
        out.write("\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(rest.charAt(1))));
        i += 2;
      } else if (rest.matches("(?is)\\\\u(d[89ab]..)\\\\u(d[c-f]..)")
          && isHex(rest, 2)
          && isHex(rest, 8)) {
        char[] pair = {unit(rest, 2), unit(rest, 8)};
        out.writeBytes(new String(pair).getBytes(UTF_8));
        i += 12;
      } else if (rest.matches("(?is)\\\\u(?!d[89a-f])....(.*)") && isHex(rest, 2)) {
        out.writeBytes(String.valueOf(unit(rest, 2)).getBytes(UTF_8));
        i += 6;
      } else {
        return ~i;
      }
    }
    return end;
  }

  private static boolean isHex(String text, int at) {
    return text.substring(at, at + 4).matches("[0-9a-fA-F]{4}");
  }

  private static char unit(String text, int at) {
    return (char) Integer.parseInt(text, at, at + 4, 16);
  }
}
