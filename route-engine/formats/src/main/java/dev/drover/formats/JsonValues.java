package dev.drover.formats;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.drover.spi.Batch;
import dev.drover.spi.Type;

/**
 * Writes one value of any type as JSON, in the form that PostgreSQL's {@code row_to_json} gives it.
 * Plain, for every type but text.
 */
public final class JsonValues {

  private static final long TRUE = Swar.load("true\0\0\0\0".getBytes(US_ASCII), 0);
  private static final long FALSE = Swar.load("false\0\0\0".getBytes(US_ASCII), 0);

  private JsonValues() {}

  /** Writes a value; of {@link Type#STRING} too. */
  public static void write(JsonOutput out, Type type, byte[] arena, long cell) {
    switch (type) {
      case BOOL -> out.put(cell != 0 ? "true" : "false");
      case INT64 -> out.number(cell);
      case FLOAT32 -> {
        float value = Float.intBitsToFloat((int) cell);
        number(out, Float.toString(value), Float.isFinite(value));
      }
      case FLOAT64 -> {
        double value = Double.longBitsToDouble(cell);
        number(out, Double.toString(value), Double.isFinite(value));
      }
      case DECIMAL -> decimal(out, arena, cell);
      case STRING -> {
        out.put('"');
        out.text(arena, Batch.offset(cell), Batch.length(cell));
        out.put('"');
      }
      case BYTES -> {
        out.put("\"\\\\x");
        out.hex(arena, Batch.offset(cell), Batch.length(cell));
        out.put('"');
      }
      case UUID -> uuid(out, arena, Batch.offset(cell));
      case JSON -> out.document(arena, Batch.offset(cell), Batch.length(cell));
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ -> {
        out.reserve(Instants.MAX_BYTES);
        out.at = instant(out.bytes, out.at, type, cell);
      }
    }
  }

  /**
   * Writes a value of a type that takes few bytes: {@link Instants#MAX_BYTES} of room are needed;
   * the index after it.
   */
  static int fixed(byte[] out, int at, Type type, long cell) {
    return switch (type) {
      case INT64 -> Digits.write(out, at, cell);
      case BOOL -> {
        Swar.store(out, at, cell != 0 ? TRUE : FALSE);
        yield at + (cell != 0 ? 4 : 5);
      }
      default -> instant(out, at, type, cell);
    };
  }

  /** Writes a date or time with its quotes; {@link Instants#MAX_BYTES} of room are needed. */
  static int instant(byte[] out, int at, Type type, long cell) {
    out[at] = '"';
    int from = at + 1;
    int end =
        switch (type) {
          case DATE -> Instants.date(out, from, cell);
          case TIME -> Instants.time(out, from, cell);
          default -> Instants.timestamp(out, from, cell, type == Type.TIMESTAMPTZ);
        };
    out[end] = '"';
    return end + 1;
  }

  private static void number(JsonOutput out, String text, boolean finite) {
    if (finite) {
      out.put(text);
    } else {
      out.put('"');
      out.put(text);
      out.put('"');
    }
  }

  /** Whether a decimal is a number, and not one of those that have a name. */
  static boolean isDigits(byte[] arena, long cell) {
    int length = Batch.length(cell);
    return length > 0 && arena[Batch.offset(cell) + length - 1] <= '9';
  }

  private static void decimal(JsonOutput out, byte[] arena, long cell) {
    boolean digits = isDigits(arena, cell);
    if (!digits) {
      out.put('"');
    }
    out.put(arena, Batch.offset(cell), Batch.length(cell));
    if (!digits) {
      out.put('"');
    }
  }

  private static void uuid(JsonOutput out, byte[] arena, int from) {
    out.put('"');
    out.hex(arena, from, 4);
    for (int i = 4; i < 10; i += 2) {
      out.put('-');
      out.hex(arena, from + i, 2);
    }
    out.put('-');
    out.hex(arena, from + 10, 6);
    out.put('"');
  }
}
