package dev.drover.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes compact JSON into a byte buffer that is used again. Commas are its business, matching
 * begins with ends is the caller's. Not thread-safe.
 */
final class JsonWriter {

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

  /** A buffer that grew beyond this is not kept for the next message. */
  private static final int KEPT_BYTES = 1 << 16;

  private byte[] bytes;
  private int length;
  private boolean comma;

  JsonWriter() {
    bytes = new byte[1024];
  }

  /** Forgets what was written. */
  JsonWriter clear() {
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[1024];
    }
    length = 0;
    comma = false;
    return this;
  }

  int length() {
    return length;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  JsonWriter beginObject() {
    return open('{');
  }

  JsonWriter endObject() {
    return close('}');
  }

  JsonWriter beginArray() {
    return open('[');
  }

  JsonWriter endArray() {
    return close(']');
  }

  JsonWriter key(String key) {
    text(key);
    put(':');
    comma = false;
    return this;
  }

  JsonWriter value(@Nullable String value) {
    return value == null ? literal(NULL) : text(value);
  }

  JsonWriter value(boolean value) {
    return literal(value ? TRUE : FALSE);
  }

  JsonWriter value(long value) {
    separate();
    digits(value);
    comma = true;
    return this;
  }

  JsonWriter nullValue() {
    return literal(NULL);
  }

  /** The number {@code unscaled / 10^scale} without zeros at its end; not negative. */
  JsonWriter decimal(long unscaled, int scale) {
    separate();
    long whole = unscaled;
    long divisor = 1;
    for (int i = 0; i < scale; i++) {
      divisor *= 10;
    }
    whole /= divisor;
    digits(whole);
    put('.');
    long rest = unscaled - whole * divisor;
    do {
      divisor /= 10;
      put((byte) ('0' + rest / divisor));
      rest %= divisor;
    } while (rest > 0);
    comma = true;
    return this;
  }

  /** Any JSON value in the form that {@link JsonReader} gives; other objects as their text. */
  JsonWriter any(@Nullable Object value) {
    switch (value) {
      case null -> nullValue();
      case Map<?, ?> map -> {
        beginObject();
        map.forEach((key, element) -> key(String.valueOf(key)).any(element));
        endObject();
      }
      case List<?> list -> {
        beginArray();
        list.forEach(this::any);
        endArray();
      }
      case Boolean flag -> value(flag.booleanValue());
      case Long number -> value(number.longValue());
      case Integer number -> value(number.longValue());
      case Number number -> literal(number.toString().getBytes(StandardCharsets.US_ASCII));
      default -> text(value.toString());
    }
    return this;
  }

  JsonWriter field(String key, @Nullable String value) {
    return key(key).value(value);
  }

  JsonWriter field(String key, boolean value) {
    return key(key).value(value);
  }

  JsonWriter field(String key, long value) {
    return key(key).value(value);
  }

  /** Writes what another writer holds as a value. */
  JsonWriter raw(JsonWriter json) {
    separate();
    room(json.length);
    System.arraycopy(json.bytes, 0, bytes, length, json.length);
    length += json.length;
    comma = true;
    return this;
  }

  /** Writes JSON text as a value. */
  JsonWriter raw(String json) {
    return literal(json.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes what another writer holds as a JSON string. */
  JsonWriter quoted(JsonWriter json) {
    separate();
    room(2 * json.length + 2);
    byte[] to = bytes;
    int at = length;
    to[at++] = '"';
    for (int i = 0; i < json.length; i++) {
      byte b = json.bytes[i];
      if (b == '"' || b == '\\') {
        to[at++] = '\\';
      }
      to[at++] = b;
    }
    to[at++] = '"';
    length = at;
    comma = true;
    return this;
  }

  /** Ends a message: one line. */
  JsonWriter newLine() {
    put('\n');
    comma = false;
    return this;
  }

  private JsonWriter text(String value) {
    separate();
    int chars = value.length();
    // At worst 6 bytes a char: a control character as a Unicode escape.
    room(6 * chars + 2);
    byte[] to = bytes;
    int at = length;
    to[at++] = '"';
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c >= ' ' && c < 0x7f) {
        if (c == '"' || c == '\\') {
          to[at++] = '\\';
        }
        to[at++] = (byte) c;
      } else if (c < ' ' || c == 0x7f) {
        at = control(c, to, at);
      } else if (c < 0x800) {
        to[at++] = (byte) (0xc0 | (c >> 6));
        to[at++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < chars
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        int point = Character.toCodePoint(c, value.charAt(++i));
        to[at++] = (byte) (0xf0 | (point >> 18));
        to[at++] = (byte) (0x80 | ((point >> 12) & 0x3f));
        to[at++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        to[at++] = (byte) (0x80 | (point & 0x3f));
      } else {
        int point = Character.isSurrogate(c) ? 0xfffd : c;
        to[at++] = (byte) (0xe0 | (point >> 12));
        to[at++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        to[at++] = (byte) (0x80 | (point & 0x3f));
      }
    }
    to[at++] = '"';
    length = at;
    comma = true;
    return this;
  }

  private static int control(char c, byte[] to, int at) {
    int next = at;
    to[next++] = '\\';
    switch (c) {
      case '\n' -> to[next++] = 'n';
      case '\r' -> to[next++] = 'r';
      case '\t' -> to[next++] = 't';
      default -> {
        to[next++] = 'u';
        to[next++] = '0';
        to[next++] = '0';
        to[next++] = HEX[c >> 4];
        to[next++] = HEX[c & 15];
      }
    }
    return next;
  }

  private void digits(long value) {
    room(20);
    if (value == Long.MIN_VALUE) {
      append(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
      return;
    }
    long left = value;
    if (left < 0) {
      bytes[length++] = '-';
      left = -left;
    }
    int count = 1;
    for (long power = 10; count < 19 && left >= power; power *= 10) {
      count++;
    }
    for (int i = length + count - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    length += count;
  }

  private JsonWriter literal(byte[] text) {
    separate();
    append(text);
    comma = true;
    return this;
  }

  private void append(byte[] text) {
    room(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  private JsonWriter open(char bracket) {
    separate();
    put((byte) bracket);
    comma = false;
    return this;
  }

  private JsonWriter close(char bracket) {
    put((byte) bracket);
    comma = true;
    return this;
  }

  private void separate() {
    if (comma) {
      put((byte) ',');
    }
  }

  private void put(char c) {
    put((byte) c);
  }

  private void put(byte b) {
    room(1);
    bytes[length++] = b;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      int wanted = Math.addExact(length, more);
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(wanted, 2L * bytes.length)));
    }
  }
}
