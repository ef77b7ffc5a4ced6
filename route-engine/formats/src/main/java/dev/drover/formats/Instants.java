package dev.drover.formats;

/**
 * Dates and times as PostgreSQL's {@code row_to_json} writes them, without quotes. Years are those
 * of the Gregorian calendar, also before there was one.
 */
final class Instants {

  /** No value takes more. */
  static final int MAX_BYTES = 48;

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

  /** Days from 0000-03-01 to 2000-01-01, and of 400 years. */
  private static final long EPOCH_DAY = 730_425;

  private static final int ERA_DAYS = 146_097;

  private Instants() {}

  /** Writes microseconds from 2000-01-01; the index after them. */
  static int timestamp(byte[] out, int at, long micros, boolean zoned) {
    if (isInfinite(micros)) {
      return infinity(out, at, micros);
    }
    long day = Math.floorDiv(micros, MICROS_PER_DAY);
    int i = day(out, at, day);
    out[i++] = 'T';
    i = time(out, i, micros - day * MICROS_PER_DAY);
    if (zoned) {
      i = ascii(out, i, "+00:00");
    }
    return era(out, i, day);
  }

  /** Writes days from 2000-01-01; the index after them. */
  static int date(byte[] out, int at, long day) {
    return isInfinite(day) ? infinity(out, at, day) : era(out, day(out, at, day), day);
  }

  /** Writes microseconds of a day, up to 24:00:00; the index after them. */
  static int time(byte[] out, int at, long micros) {
    int seconds = (int) (micros / MICROS_PER_SECOND);
    int fraction = (int) (micros - seconds * MICROS_PER_SECOND);
    int minutes = seconds / 60;
    int hours = minutes / 60;
    Digits.two(out, at, hours);
    out[at + 2] = ':';
    Digits.two(out, at + 3, minutes - 60 * hours);
    out[at + 5] = ':';
    int i = Digits.two(out, at + 6, seconds - 60 * minutes);
    if (fraction != 0) {
      int width = 6;
      while (fraction % 10 == 0) {
        fraction /= 10;
        width--;
      }
      out[i] = '.';
      i = Digits.padded(out, i + 1, fraction, width);
    }
    return i;
  }

  /** Year, month and day, counted in years that begin in March. */
  private static int day(byte[] out, int at, long daysFrom2000) {
    long day = daysFrom2000 + EPOCH_DAY;
    long era = Math.floorDiv(day, (long) ERA_DAYS);
    int dayOfEra = (int) (day - era * ERA_DAYS);
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int marchMonth = (5 * dayOfYear + 2) / 153;
    int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    long shown = year > 0 ? year : 1 - year;
    int i;
    if (shown < 10_000) {
      int century = (int) shown / 100;
      Digits.two(out, at, century);
      i = Digits.two(out, at + 2, (int) shown - 100 * century);
    } else {
      i = Digits.write(out, at, shown);
    }
    out[i] = '-';
    i = Digits.two(out, i + 1, month);
    out[i] = '-';
    return Digits.two(out, i + 1, dayOfYear - (153 * marchMonth + 2) / 5 + 1);
  }

  /** 0001-01-01 is 730,119 days before 2000-01-01. */
  private static int era(byte[] out, int at, long daysFrom2000) {
    return daysFrom2000 < -730_119 ? ascii(out, at, " BC") : at;
  }

  private static boolean isInfinite(long value) {
    return value == Long.MAX_VALUE || value == Long.MIN_VALUE;
  }

  private static int infinity(byte[] out, int at, long value) {
    return ascii(out, at, value > 0 ? "infinity" : "-infinity");
  }

  private static int ascii(byte[] out, int at, String text) {
    for (int i = 0; i < text.length(); i++) {
      out[at + i] = (byte) text.charAt(i);
    }
    return at + text.length();
  }
}
