package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Type;

/**
 * Writes one value of any type as JSON, in the form that PostgreSQL's {@code row_to_json} gives it.
 * Plain, for every type but text.
 */
public final class JsonValues {

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

  /** Days from 0000-03-01 to 2000-01-01, and of 400 years. */
  private static final long EPOCH_DAY = 730_425;

  private static final long ERA_DAYS = 146_097;

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
      case DECIMAL -> decimal(out, arena, Batch.offset(cell), Batch.length(cell));
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
      case DATE -> {
        out.put('"');
        if (isFinite(out, cell)) {
          era(out, date(out, cell));
        }
        out.put('"');
      }
      case TIME -> {
        out.put('"');
        time(out, cell);
        out.put('"');
      }
      case TIMESTAMP -> timestamp(out, cell, "");
      case TIMESTAMPTZ -> timestamp(out, cell, "+00:00");
    }
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

  private static void decimal(JsonOutput out, byte[] arena, int from, int length) {
    boolean digits = length > 0 && arena[from + length - 1] <= '9';
    if (!digits) {
      out.put('"');
    }
    out.put(arena, from, length);
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

  private static void timestamp(JsonOutput out, long micros, String zone) {
    out.put('"');
    if (isFinite(out, micros)) {
      boolean beforeChrist = date(out, Math.floorDiv(micros, MICROS_PER_DAY));
      out.put('T');
      time(out, Math.floorMod(micros, MICROS_PER_DAY));
      out.put(zone);
      era(out, beforeChrist);
    }
    out.put('"');
  }

  private static boolean isFinite(JsonOutput out, long value) {
    if (value == Long.MAX_VALUE) {
      out.put("infinity");
    } else if (value == Long.MIN_VALUE) {
      out.put("-infinity");
    } else {
      return true;
    }
    return false;
  }

  /** Year, month and day, counted in years that begin in March; whether it is a year BC. */
  private static boolean date(JsonOutput out, long daysFrom2000) {
    long day = daysFrom2000 + EPOCH_DAY;
    long era = Math.floorDiv(day, ERA_DAYS);
    long dayOfEra = Math.floorMod(day, ERA_DAYS);
    long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long marchMonth = (5 * dayOfYear + 2) / 153;
    long month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    long shown = year > 0 ? year : 1 - year;
    if (shown < 10_000) {
      out.padded(shown, 4);
    } else {
      out.number(shown);
    }
    out.put('-');
    out.padded(month, 2);
    out.put('-');
    out.padded(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2);
    return year <= 0;
  }

  private static void era(JsonOutput out, boolean beforeChrist) {
    if (beforeChrist) {
      out.put(" BC");
    }
  }

  private static void time(JsonOutput out, long micros) {
    long seconds = micros / MICROS_PER_SECOND;
    out.padded(seconds / 3600, 2);
    out.put(':');
    out.padded(seconds / 60 % 60, 2);
    out.put(':');
    out.padded(seconds % 60, 2);
    long fraction = micros % MICROS_PER_SECOND;
    if (fraction != 0) {
      int width = 6;
      while (fraction % 10 == 0) {
        fraction /= 10;
        width--;
      }
      out.put('.');
      out.padded(fraction, width);
    }
  }
}
