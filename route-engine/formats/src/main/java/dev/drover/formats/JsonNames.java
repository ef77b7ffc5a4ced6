package dev.drover.formats;

import java.nio.charset.StandardCharsets;

/** Names of fields as JSON writes them. */
public final class JsonNames {

  private JsonNames() {}

  /** The name that a key stands for, which is written between its quotes. */
  public static String of(byte[] in, int from, int to) {
    String raw = new String(in, from, to - from, StandardCharsets.UTF_8);
    return raw.indexOf('\\') < 0 ? raw : unescape(raw);
  }

  /** Undoes the escapes of a well-formed JSON string without its quotes. */
  public static String unescape(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i++);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      char escaped = text.charAt(i++);
      switch (escaped) {
        case 'b' -> plain.append('\b');
        case 'f' -> plain.append('\f');
        case 'n' -> plain.append('\n');
        case 'r' -> plain.append('\r');
        case 't' -> plain.append('\t');
        case 'u' -> {
          plain.append((char) Integer.parseInt(text.substring(i, i + 4), 16));
          i += 4;
        }
        default -> plain.append(escaped);
      }
    }
    return plain.toString();
  }
}
