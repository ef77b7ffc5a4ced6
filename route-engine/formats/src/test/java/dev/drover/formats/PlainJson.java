package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

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
}
