package dev.drover.transforms;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads values from their text, behind which the array goes on for a few bytes. Each method says
 * whether the text is such a value and leaves it in {@link #value}. One thread; no allocation.
 */
final class Scalars {

  static final long MICROS_PER_SECOND = 1_000_000;
  static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

  /** Days from 0000-03-01 to 2000-01-01, and of 400 years. */
  private static final long EPOCH_DAY = 730_425;

  private static final long ERA_DAYS = 146_097;
  private static final int DIGITS_OF_LONG = 18;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // Of an instant: what makes each byte 0 that must be as it is, and each digit its value; and what
  // then carries into the highest bit of a byte that is too large.
  private static final long DATE_TO_MONTH = word("0000-00-");
  private static final long DAY_TO_MINUTE = word("00T00:00");
  private static final long HOUR_TO_ZONE = word("0:00:00Z");
  private static final long DIGITS_1 = 0x7f76_767f_7676_7676L;
  private static final long DIGITS_2 = 0x7676_7f76_767f_7676L;
  private static final long DIGITS_3 = 0x7f76_767f_7676_7f76L;
  private static final long HIGH = 0x8080_8080_8080_8080L;

  private long lastMonth;
  private int lastDay = -1;
  private long lastDays;

  private static long word(String text) {
    return (long) LONG.get(text.getBytes(StandardCharsets.US_ASCII), 0);
  }

  /** What the last method that said yes has read. */
  long value;

  /** After {@link #timestamp}: whether there was an offset, and whether it was that of UTC. */
  boolean zoned;

  boolean utc;

  /** An integer of 64 bits, with a sign and leading zeros if it likes. */
  boolean integer(byte[] in, int from, int to) {
    int i = from;
    boolean negative = i < to && in[i] == '-';
    if (i < to && (in[i] == '-' || in[i] == '+')) {
      i++;
    }
    if (i == to) {
      return false;
    }
    int digits = to - i;
    long number = 0;
    for (int j = i; j < to; j++) {
      int digit = in[j] - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      if (digits <= DIGITS_OF_LONG) {
        number = number * 10 + digit;
      } else {
        // Counts down, as the least number has no positive twin.
        long next = number * 10 - digit;
        if (number < Long.MIN_VALUE / 10 || next > 0 || (number != 0 && next >= number)) {
          return false;
        }
        number = next;
      }
    }
    if (digits > DIGITS_OF_LONG) {
      if (!negative && number == Long.MIN_VALUE) {
        return false;
      }
      value = negative ? number : -number;
    } else {
      value = negative ? -number : number;
    }
    return true;
  }

  /** Whether it is an integer as JSON writes it: no plus, no leading zero, no minus zero. */
  static boolean isCanonicalInteger(byte[] in, int from, int to) {
    int i = from < to && in[from] == '-' ? from + 1 : from;
    if (i == to || (in[i] == '0' && (to > i + 1 || i > from))) {
      return false;
    }
    return digits(in, i, to) == to;
  }

  /** Whether there is no plus and no zero in front. */
  static boolean beginsCanonically(byte[] in, int from, int to) {
    return from < to
        && in[from] != '+'
        && hasNoZerosInFront(in, in[from] == '-' ? from + 1 : from, to);
  }

  private static boolean hasNoZerosInFront(byte[] in, int from, int to) {
    return to - from < 2 || in[from] != '0' || in[from + 1] < '0' || in[from + 1] > '9';
  }

  /** Whether it is digits that do not begin with zero, and surely fit into 64 bits. */
  static boolean isPlainInteger(byte[] in, int from, int to) {
    return to - from <= DIGITS_OF_LONG && in[from] != '0' && digits(in, from, to) == to;
  }

  /** Whether it is a number as JSON writes it. */
  static boolean isNumber(byte[] in, int from, int to) {
    int i = from < to && in[from] == '-' ? from + 1 : from;
    int end = digits(in, i, to);
    if (end == i || (in[i] == '0' && end > i + 1)) {
      return false;
    }
    i = end;
    if (i < to && in[i] == '.') {
      end = digits(in, i + 1, to);
      if (end == i + 1) {
        return false;
      }
      i = end;
    }
    if (i < to && (in[i] | 0x20) == 'e') {
      i++;
      if (i < to && (in[i] == '-' || in[i] == '+')) {
        i++;
      }
      end = digits(in, i, to);
      if (end == i) {
        return false;
      }
      i = end;
    }
    return i == to;
  }

  /** Where the number begins that text with a plus and zeros in front means. */
  static int skipPlusAndZeros(byte[] in, int from, int to) {
    int i = from < to && in[from] == '+' ? from + 1 : from;
    while (to - i > 1 && in[i] == '0' && in[i + 1] >= '0' && in[i + 1] <= '9') {
      i++;
    }
    return i;
  }

  private static int digits(byte[] in, int from, int to) {
    int i = from;
    while (i < to && in[i] >= '0' && in[i] <= '9') {
      i++;
    }
    return i;
  }

  /** {@code true} or {@code false}, in any case, 1 or 0. */
  boolean bool(byte[] in, int from, int to) {
    int length = to - from;
    if (length == 1 && (in[from] == '0' || in[from] == '1')) {
      value = in[from] == '1' ? 1 : 0;
      return true;
    }
    if (isWord(in, from, length, "true")) {
      value = 1;
      return true;
    }
    value = 0;
    return isWord(in, from, length, "false");
  }

  private static boolean isWord(byte[] in, int from, int length, String word) {
    if (length != word.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if ((in[from + i] | 0x20) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** {@code 2026-12-31}: days from 2000-01-01. */
  boolean date(byte[] in, int from, int to) {
    if (to - from != 10 || in[from + 4] != '-' || in[from + 7] != '-') {
      return false;
    }
    int century = two(in, from);
    int ofCentury = two(in, from + 2);
    int year = 100 * century + ofCentury;
    int month = two(in, from + 5);
    int day = two(in, from + 8);
    if ((century | ofCentury) < 0
        || year < 1
        || month < 1
        || month > 12
        || day < 1
        || day > daysOf(year, month)) {
      return false;
    }
    value = days(year, month, day);
    return true;
  }

  /** Days from 2000-01-01, counted in years that begin in March. */
  private static long days(int year, int month, int day) {
    long y = month <= 2 ? year - 1L : year;
    long era = Math.floorDiv(y, 400);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * ERA_DAYS + dayOfEra - EPOCH_DAY;
  }

  private static int daysOf(int year, int month) {
    return switch (month) {
      case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  /** Negative if there are no two digits. */
  private static int two(byte[] in, int from) {
    int tens = in[from] - '0';
    int ones = in[from + 1] - '0';
    return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? -1 : 10 * tens + ones;
  }

  /** {@code 23:59:59.999999}: microseconds of the day; seconds may be left out. */
  boolean time(byte[] in, int from, int to) {
    return clock(in, from, to) == to;
  }

  /** Reads a time of day; the index after it, -1 if there is none. */
  private int clock(byte[] in, int from, int to) {
    if (to - from < 5 || in[from + 2] != ':') {
      return -1;
    }
    int hours = two(in, from);
    int minutes = two(in, from + 3);
    int i = from + 5;
    int seconds = 0;
    long micros = 0;
    if (i < to && in[i] == ':') {
      if (to - i < 3) {
        return -1;
      }
      seconds = two(in, i + 1);
      i += 3;
      if (i < to && (in[i] == '.' || in[i] == ',')) {
        int end = digits(in, i + 1, to);
        int count = end - i - 1;
        if (count == 0) {
          return -1;
        }
        for (int j = i + 1; j < end; j++) {
          boolean below = j > i + 6;
          if (below && in[j] != '0') {
            // Finer than a microsecond: no type holds it.
            return -1;
          }
          micros = below ? micros : micros * 10 + (in[j] - '0');
        }
        for (int j = count; j < 6; j++) {
          micros *= 10;
        }
        i = end;
      }
    }
    boolean midnight = hours == 24 && minutes == 0 && seconds == 0 && micros == 0;
    if (!midnight && (hours < 0 || hours > 23)) {
      return -1;
    }
    if (minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) {
      return -1;
    }
    value = ((hours * 60L + minutes) * 60L + seconds) * MICROS_PER_SECOND + micros;
    return i;
  }

  /**
   * {@code 2026-12-31T23:59:59.5+01:00}: microseconds from 2000-01-01T00:00, of UTC if {@link
   * #zoned}. A blank may stand for the T, and the offset may be missing.
   */
  boolean timestamp(byte[] in, int from, int to) {
    if (to - from == 20 && instant(in, from)) {
      return true;
    }
    if (to - from < 16 || !isGap(in[from + 10]) || !date(in, from, from + 10)) {
      return false;
    }
    long day = value;
    int i = clock(in, from + 11, to);
    if (i < 0) {
      return false;
    }
    long micros = day * MICROS_PER_DAY + value;
    zoned = i < to;
    utc = false;
    if (zoned) {
      int minutes = offsetMinutes(in, i, to);
      if (minutes == Integer.MIN_VALUE) {
        return false;
      }
      utc = minutes == 0;
      micros -= minutes * 60L * MICROS_PER_SECOND;
    }
    value = micros;
    return true;
  }

  /**
   * {@code 2026-12-31T23:59:59Z}, as most programs write it: eight bytes at a time. What is not
   * written so may still be a timestamp.
   */
  private boolean instant(byte[] in, int from) {
    long first = (long) LONG.get(in, from) ^ DATE_TO_MONTH;
    long second = (long) LONG.get(in, from + 8) ^ DAY_TO_MINUTE;
    long third = (long) LONG.get(in, from + 12) ^ HOUR_TO_ZONE;
    long bad =
        first | (first + DIGITS_1) | second | (second + DIGITS_2) | third | (third + DIGITS_3);
    if ((bad & HIGH) != 0) {
      return false;
    }
    int day = tens(second, 0);
    int hour = tens(second, 3);
    int minute = tens(second, 6);
    int seconds = tens(third, 5);
    if (first != lastMonth || day != lastDay) {
      int year = 100 * tens(first, 0) + tens(first, 2);
      int month = tens(first, 5);
      if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) {
        return false;
      }
      lastMonth = first;
      lastDay = day;
      lastDays = days(year, month, day);
    }
    if (hour > 23 || minute > 59 || seconds > 59) {
      return false;
    }
    value = lastDays * MICROS_PER_DAY + ((hour * 60 + minute) * 60 + seconds) * MICROS_PER_SECOND;
    zoned = true;
    utc = true;
    return true;
  }

  private static int tens(long digits, int at) {
    int two = (int) (digits >>> (at << 3));
    return 10 * (two & 15) + (two >>> 8 & 15);
  }

  private static boolean isGap(byte b) {
    return b == 'T' || b == ' ' || b == 't';
  }

  /** {@code Z}, {@code +01}, {@code +0100} or {@code +01:00}; the least integer if it is none. */
  private static int offsetMinutes(byte[] in, int from, int to) {
    int length = to - from;
    if (length == 1 && (in[from] | 0x20) == 'z') {
      return 0;
    }
    boolean sign = in[from] == '+' || in[from] == '-';
    boolean colon = length == 6 && in[from + 3] == ':';
    if (!sign || !(length == 3 || length == 5 || colon)) {
      return Integer.MIN_VALUE;
    }
    int hours = two(in, from + 1);
    int minutes = length == 3 ? 0 : two(in, from + (colon ? 4 : 3));
    if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
      return Integer.MIN_VALUE;
    }
    int offset = hours * 60 + minutes;
    return in[from] == '-' ? -offset : offset;
  }

  /** 32 hex digits with dashes after 8, 12, 16 and 20, in any case. */
  static boolean isUuid(byte[] in, int from, int to) {
    if (to - from != 36) {
      return false;
    }
    for (int i = 0; i < 36; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? in[from + i] != '-' : Character.digit(in[from + i], 16) < 0) {
        return false;
      }
    }
    return true;
  }
}
