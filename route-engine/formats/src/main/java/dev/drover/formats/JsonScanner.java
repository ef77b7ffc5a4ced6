package dev.drover.formats;

import java.util.Arrays;

/**
 * Finds the end of JSON values in UTF-8 bytes, as strictly as RFC 8259 has them; what is in a value
 * is left as it stands. One thread. Every method gives the index after what it has passed, or
 * {@link #FAILED}.
 */
public final class JsonScanner {

  public static final int FAILED = -1;

  private final byte[] in;
  private final int maxDepth;

  /** The brackets that are open, by their closing ones. */
  private byte[] open = new byte[32];

  private int errorAt;
  private String error = "";

  /**
   * @param in the bytes, with {@link dev.drover.spi.Batch#PADDING} more after the last
   */
  public JsonScanner(byte[] in, int maxDepth) {
    this.in = in;
    this.maxDepth = maxDepth;
  }

  /** Where the last failure is. */
  public int errorAt() {
    return errorAt;
  }

  /** What the last failure is. */
  public String error() {
    return error;
  }

  public int fail(int at, String why) {
    errorAt = at;
    error = why;
    return FAILED;
  }

  /** Passes white space. */
  public int space(int at, int end) {
    int i = at;
    while (i < end && (in[i] == ' ' || in[i] == '\t' || in[i] == '\r' || in[i] == '\n')) {
      i++;
    }
    return i;
  }

  /** Passes a value. */
  public int value(int at, int end) {
    int depth = 0;
    int i = at;
    while (true) {
      if (i >= end) {
        return fail(i, "the record ends where a value should be");
      }
      byte b = in[i];
      if (b == '{' || b == '[') {
        if (depth == maxDepth) {
          return fail(i, "nested deeper than `max_depth` (%d)".formatted(maxDepth));
        }
        byte closing = (byte) (b == '{' ? '}' : ']');
        if (depth == open.length) {
          open = Arrays.copyOf(open, 2 * depth);
        }
        open[depth++] = closing;
        i = space(i + 1, end);
        if (i >= end || in[i] != closing) {
          i = b == '{' ? key(i, end) : i;
          if (i == FAILED) {
            return FAILED;
          }
          continue;
        }
      } else {
        i = scalar(i, end, b);
        if (i == FAILED || depth == 0) {
          return i;
        }
        i = space(i, end);
      }
      // Behind a value or at a closing bracket: close as many as there are.
      while (depth > 0 && i < end && in[i] == open[depth - 1]) {
        depth--;
        i++;
        if (depth == 0) {
          return i;
        }
        i = space(i, end);
      }
      if (i >= end || in[i] != ',') {
        return next(i, end, (char) open[depth - 1]);
      }
      i = space(i + 1, end);
      if (open[depth - 1] == '}') {
        i = key(i, end);
        if (i == FAILED) {
          return FAILED;
        }
      }
    }
  }

  /** Passes a key and its colon, up to where the value begins. */
  int key(int at, int end) {
    if (at >= end || in[at] != '"') {
      return fail(at, "a key in double quotes should be here");
    }
    int i = string(at + 1, end);
    return i == FAILED ? FAILED : colon(i, end);
  }

  /** Passes a colon and the white space around it. */
  public int colon(int at, int end) {
    int i = space(at, end);
    if (i >= end || in[i] != ':') {
      return fail(i, "a colon should follow the key");
    }
    return space(i + 1, end);
  }

  /** Where the comma or the closing bracket is that must follow a value. */
  int next(int at, int end, char closing) {
    int i = space(at, end);
    if (i < end && (in[i] == ',' || in[i] == closing)) {
      return i;
    }
    return i < end
        ? fail(i, "a comma or %c should be here".formatted(closing))
        : fail(i, "the record ends inside %s".formatted(closing == '}' ? "an object" : "an array"));
  }

  private int scalar(int at, int end, byte first) {
    return switch (first) {
      case '"' -> string(at + 1, end);
      case 't' -> literal(at, end, "true");
      case 'f' -> literal(at, end, "false");
      case 'n' -> literal(at, end, "null");
      default -> number(at, end);
    };
  }

  private int literal(int at, int end, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i >= end || in[at + i] != word.charAt(i)) {
        return fail(at, "this is no JSON value");
      }
    }
    return at + word.length();
  }

  /** Passes the rest of a string, its closing quote included. */
  public int string(int at, int end) {
    int i = at;
    while (true) {
      long hits = JsonText.escaped(Swar.load(in, i));
      if (hits == 0) {
        i += Long.BYTES;
        if (i >= end) {
          return fail(at - 1, "the string that begins here does not end");
        }
        continue;
      }
      i += Long.numberOfTrailingZeros(hits) >>> 3;
      if (i >= end) {
        return fail(at - 1, "the string that begins here does not end");
      }
      byte b = in[i];
      if (b == '"') {
        return i + 1;
      }
      if (b != '\\') {
        return fail(i, "a control character in a string must be escaped");
      }
      i = escape(i, end);
      if (i == FAILED) {
        return FAILED;
      }
    }
  }

  /**
   * Passes the rest of a string, its closing quote included, and writes the text it stands for. If
   * it fails, a part may be written.
   */
  int text(int at, int end, JsonOutput out) {
    int i = JsonStrings.copy(in, at, end, out);
    if (i == end) {
      return fail(at - 1, "the string that begins here does not end");
    }
    if (i >= 0) {
      return in[i] == '"' ? i + 1 : fail(i, "a control character in a string must be escaped");
    }
    return escape(~i, end) == FAILED ? FAILED : fail(~i, "half of a surrogate pair is no text");
  }

  private int escape(int at, int end) {
    byte b = at + 1 < end ? in[at + 1] : 0;
    return switch (b) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
      case 'u' -> hex(at, end);
      default -> fail(at, "there is no such escape");
    };
  }

  private int hex(int at, int end) {
    for (int i = at + 2; i < at + 6; i++) {
      if (i >= end || Character.digit(in[i], 16) < 0) {
        return fail(at, "four hex digits should follow \\u");
      }
    }
    return at + 6;
  }

  private int number(int at, int end) {
    int i = at;
    if (i < end && in[i] == '-') {
      i++;
    }
    int digits = digits(i, end);
    if (digits == i) {
      return fail(at, "this is no JSON value");
    }
    if (in[i] == '0' && digits > i + 1) {
      return fail(at, "a number must not begin with a zero");
    }
    i = digits;
    if (i < end && in[i] == '.') {
      digits = digits(i + 1, end);
      if (digits == i + 1) {
        return fail(at, "digits should follow the point of the number");
      }
      i = digits;
    }
    if (i < end && (in[i] | 0x20) == 'e') {
      int sign = i + 1 < end && (in[i + 1] == '+' || in[i + 1] == '-') ? i + 2 : i + 1;
      digits = digits(sign, end);
      if (digits == sign) {
        return fail(at, "digits should follow the exponent sign of the number");
      }
      i = digits;
    }
    return i;
  }

  private int digits(int at, int end) {
    int i = at;
    while (i < end && in[i] >= '0' && in[i] <= '9') {
      i++;
    }
    return i;
  }
}
