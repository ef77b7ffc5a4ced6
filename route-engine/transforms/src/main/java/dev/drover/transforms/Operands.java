package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonOutput;
import dev.drover.formats.JsonScanner;
import dev.drover.formats.JsonStrings;
import dev.drover.formats.JsonValues;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Loads the operands of comparisons from rows and compares them. One worker. */
final class Operands {

  /** What a value is. */
  enum Kind {
    NULL,
    TEXT,
    NUMBER,
    BOOL,
    MOMENT,
    DOCUMENT
  }

  /** A value: a place in some bytes, or a number. Reused for each row. */
  static final class Value {
    Kind kind = Kind.NULL;
    byte[] bytes = {};
    int from;
    int to;

    /** Of an integer, a boolean or a moment. */
    long number;

    /** Whether {@link #number} holds a NUMBER, rather than the bytes. */
    boolean isLong;

    /** Of a MOMENT. */
    Type type = Type.STRING;

    private @Nullable JsonOutput scratch;

    private JsonOutput scratch() {
      if (scratch == null) {
        scratch = new JsonOutput(Buffers.heap(), 64);
      }
      scratch.at = 0;
      return scratch;
    }

    void text(byte[] in, int begin, int end) {
      kind = Kind.TEXT;
      bytes = in;
      from = begin;
      to = end;
    }

    void digits(byte[] in, int begin, int end) {
      kind = Kind.NUMBER;
      isLong = false;
      bytes = in;
      from = begin;
      to = end;
    }

    void bool(boolean value) {
      kind = Kind.BOOL;
      number = value ? 1 : 0;
    }

    String shown() {
      return switch (kind) {
        case NULL -> "null";
        case TEXT, DOCUMENT -> "'" + Shown.value(bytes, from, to - from) + "'";
        case NUMBER -> isLong ? Long.toString(number) : Shown.value(bytes, from, to - from);
        case BOOL -> number == 1 ? "true" : "false";
        case MOMENT -> "a " + Shown.type(type);
      };
    }
  }

  /** The comparison has no answer: one side is null. */
  static final int UNKNOWN = Integer.MIN_VALUE;

  /** The two cannot be compared; {@link #why} tells. */
  static final int FAILED = Integer.MAX_VALUE;

  private static final long SMALL = 1_000_000_000_000_000_000L;
  private static final int SMALL_DIGITS = 18;
  private static final long[] POWERS = new long[SMALL_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private final Scalars scalars = new Scalars();
  private String why = "";

  /** What {@link #small} has found. */
  private long smallUnscaled;

  private int smallScale;

  String why() {
    return why;
  }

  /** Loads a cell that holds a value. */
  static void load(Value into, Type type, byte[] arena, long cell) {
    int from = Batch.offset(cell);
    int to = from + Batch.length(cell);
    switch (type) {
      case STRING -> into.text(arena, from, to);
      case JSON -> json(into, arena, from, to);
      case INT64 -> {
        into.kind = Kind.NUMBER;
        into.isLong = true;
        into.number = cell;
      }
      case DECIMAL -> into.digits(arena, from, to);
      case BOOL -> into.bool(cell != 0);
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ -> {
        into.kind = Kind.MOMENT;
        into.type = type;
        into.number = cell;
      }
      case FLOAT32, FLOAT64, UUID, BYTES -> {
        JsonOutput out = into.scratch();
        JsonValues.write(out, type, arena, cell);
        boolean quoted = out.bytes[0] == '"';
        if (type == Type.FLOAT32 || type == Type.FLOAT64) {
          into.digits(out.bytes, quoted ? 1 : 0, quoted ? out.at - 1 : out.at);
        } else {
          into.text(out.bytes, 1, out.at - 1);
        }
      }
    }
  }

  private static void json(Value into, byte[] arena, int from, int to) {
    switch (arena[from]) {
      case '"' -> {
        into.text(arena, from + 1, to - 1);
        for (int i = from + 1; i < to - 1; i++) {
          if (arena[i] == '\\') {
            JsonOutput out = into.scratch();
            if (JsonStrings.unescape(arena, from + 1, to - 1, out)) {
              into.text(out.bytes, 0, out.at);
            }
            break;
          }
        }
      }
      case '{', '[' -> {
        into.text(arena, from, to);
        into.kind = Kind.DOCUMENT;
      }
      case 't', 'f' -> into.bool(arena[from] == 't');
      case 'n' -> into.kind = Kind.NULL;
      default -> into.digits(arena, from, to);
    }
  }

  /** Negative, 0 or positive; {@link #UNKNOWN} or {@link #FAILED}. */
  int compare(Value a, Value b) {
    if (a.kind == Kind.NULL || b.kind == Kind.NULL) {
      return UNKNOWN;
    }
    if (a.kind == Kind.DOCUMENT || b.kind == Kind.DOCUMENT) {
      return fail("%s is a document, which compares with nothing but null", a, b, Kind.DOCUMENT);
    }
    if (a.kind == b.kind) {
      return switch (a.kind) {
        case TEXT ->
            Integer.signum(Arrays.compareUnsigned(a.bytes, a.from, a.to, b.bytes, b.from, b.to));
        case NUMBER -> numbers(a, b);
        case BOOL -> Long.compare(a.number, b.number);
        case MOMENT ->
            a.type == b.type
                ? Long.compare(a.number, b.number)
                : fail("%s does not compare with a " + Shown.type(b.type), a, b, Kind.MOMENT);
        default -> UNKNOWN;
      };
    }
    if (a.kind == Kind.TEXT) {
      return typed(a, b);
    }
    if (b.kind == Kind.TEXT) {
      int result = typed(b, a);
      return result == UNKNOWN || result == FAILED ? result : -result;
    }
    why = "%s does not compare with %s".formatted(a.shown(), b.shown());
    return FAILED;
  }

  private int fail(String text, Value a, Value b, Kind culprit) {
    why = text.formatted((a.kind == culprit ? a : b).shown());
    return FAILED;
  }

  /** Text against something with a type: the text is read as that type. */
  private int typed(Value text, Value other) {
    if (text.from == text.to) {
      return UNKNOWN;
    }
    switch (other.kind) {
      case NUMBER -> {
        int from = Scalars.skipPlusAndZeros(text.bytes, text.from, text.to);
        if (Scalars.isNumber(text.bytes, from, text.to)) {
          text.from = from;
          return numbers(text, other);
        }
        why = text.shown() + " is not a number";
      }
      case BOOL -> {
        if (scalars.bool(text.bytes, text.from, text.to)) {
          return Long.compare(scalars.value, other.number);
        }
        why = text.shown() + " is not a boolean";
      }
      default -> {
        if (moment(text, other.type)) {
          return Long.compare(scalars.value, other.number);
        }
        why = "%s is not a %s".formatted(text.shown(), Shown.type(other.type));
      }
    }
    return FAILED;
  }

  private boolean moment(Value text, Type type) {
    return switch (type) {
      case DATE -> scalars.date(text.bytes, text.from, text.to);
      case TIME -> scalars.time(text.bytes, text.from, text.to);
      case TIMESTAMP -> timestamp(text, false);
      default -> timestamp(text, true);
    };
  }

  /** A date alone is its midnight, in UTC. */
  private boolean timestamp(Value text, boolean zoned) {
    if (scalars.timestamp(text.bytes, text.from, text.to)) {
      return scalars.zoned == zoned;
    }
    if (scalars.date(text.bytes, text.from, text.to)) {
      scalars.value *= Scalars.MICROS_PER_DAY;
      return true;
    }
    return false;
  }

  private int numbers(Value a, Value b) {
    if (a.isLong && a.kind == Kind.NUMBER && b.isLong && b.kind == Kind.NUMBER) {
      return Long.compare(a.number, b.number);
    }
    if (small(a)) {
      long unscaled = smallUnscaled;
      int scale = smallScale;
      if (small(b)) {
        return smallNumbers(unscaled, scale, smallUnscaled, smallScale);
      }
    }
    int rankA = rank(a);
    int rankB = rank(b);
    if (rankA != 0 || rankB != 0) {
      return Integer.compare(rankA, rankB);
    }
    try {
      return exact(a).compareTo(exact(b));
    } catch (NumberFormatException e) {
      why = "%s or %s has an exponent beyond all bounds".formatted(a.shown(), b.shown());
      return FAILED;
    }
  }

  /** Whether it has at most 18 digits and no exponent. */
  private boolean small(Value value) {
    smallScale = 0;
    if (value.kind == Kind.NUMBER && value.isLong) {
      smallUnscaled = value.number;
      return value.number > -SMALL && value.number < SMALL;
    }
    byte[] in = value.bytes;
    int i = value.from;
    boolean negative = in[i] == '-';
    i += negative ? 1 : 0;
    if (value.to - i > SMALL_DIGITS + 1) {
      return false;
    }
    long unscaled = 0;
    int digits = 0;
    boolean point = false;
    for (; i < value.to; i++) {
      int digit = in[i] - '0';
      if (digit >= 0 && digit <= 9) {
        unscaled = unscaled * 10 + digit;
        digits++;
        smallScale += point ? 1 : 0;
      } else if (in[i] == '.') {
        point = true;
      } else {
        return false;
      }
    }
    smallUnscaled = negative ? -unscaled : unscaled;
    return digits > 0 && digits <= SMALL_DIGITS;
  }

  private static int smallNumbers(long a, int scaleA, long b, int scaleB) {
    if (scaleA == scaleB) {
      return Long.compare(a, b);
    }
    int common = Math.max(scaleA, scaleB);
    long factorA = POWERS[common - scaleA];
    long factorB = POWERS[common - scaleB];
    long highA = Math.multiplyHigh(a, factorA);
    long highB = Math.multiplyHigh(b, factorB);
    return highA != highB
        ? Long.compare(highA, highB)
        : Long.compareUnsigned(a * factorA, b * factorB);
  }

  /** NaN is greater than all, as in PostgreSQL; 0 for a finite number. */
  private static int rank(Value value) {
    if (value.isLong && value.kind == Kind.NUMBER) {
      return 0;
    }
    byte last = value.bytes[value.to - 1];
    if (last == 'N') {
      return 2;
    }
    return last == 'y' ? (value.bytes[value.from] == '-' ? -1 : 1) : 0;
  }

  private static BigDecimal exact(Value value) {
    return value.isLong && value.kind == Kind.NUMBER
        ? BigDecimal.valueOf(value.number)
        : new BigDecimal(new String(value.bytes, value.from, value.to - value.from, UTF_8));
  }

  /** Whether text is like a pattern: {@code %} is any text, {@code _} one character. */
  static boolean isLike(byte[] in, int from, int to, byte[] pattern) {
    int i = from;
    int p = 0;
    int retryText = -1;
    int retryPattern = -1;
    while (i < to) {
      if (p < pattern.length && pattern[p] == '%') {
        retryPattern = ++p;
        retryText = i;
        continue;
      }
      boolean escaped = p + 1 < pattern.length && pattern[p] == '\\';
      if (p < pattern.length && !escaped && pattern[p] == '_') {
        i = next(in, i, to);
        p++;
        continue;
      }
      int literal = escaped ? p + 1 : p;
      if (literal < pattern.length && pattern[literal] == in[i]) {
        i++;
        p = literal + 1;
        continue;
      }
      if (retryPattern < 0) {
        return false;
      }
      retryText = next(in, retryText, to);
      i = retryText;
      p = retryPattern;
    }
    while (p < pattern.length && pattern[p] == '%') {
      p++;
    }
    return p == pattern.length;
  }

  private static int next(byte[] in, int at, int to) {
    int i = at + 1;
    while (i < to && (in[i] & 0xc0) == 0x80) {
      i++;
    }
    return i;
  }

  /** A document scanner for paths. */
  static JsonScanner scanner(byte[] arena) {
    return new JsonScanner(arena, Documents.ANY_DEPTH);
  }
}
