package dev.drover.formats;

import java.nio.charset.StandardCharsets;

/** Decimal digits of whole numbers, two at a time. */
final class Digits {

  /** No number of 64 bits takes more, sign included. */
  static final int MAX_BYTES = 20;

  private static final byte[] LOWEST = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] TENS = new byte[100];
  private static final byte[] ONES = new byte[100];

  static {
    for (int i = 0; i < 100; i++) {
      TENS[i] = (byte) ('0' + i / 10);
      ONES[i] = (byte) ('0' + i % 10);
    }
  }

  private Digits() {}

  /** Writes a number; the index after it. */
  static int write(byte[] out, int at, long value) {
    if (value >= 0) {
      return positive(out, at, value);
    }
    if (value == Long.MIN_VALUE) {
      System.arraycopy(LOWEST, 0, out, at, LOWEST.length);
      return at + LOWEST.length;
    }
    out[at] = '-';
    return positive(out, at + 1, -value);
  }

  private static int positive(byte[] out, int at, long value) {
    int end = at + width(value);
    int i = end;
    long left = value;
    while (left > Integer.MAX_VALUE) {
      long hundreds = left / 100;
      i = two(out, i - 2, (int) (left - 100 * hundreds)) - 2;
      left = hundreds;
    }
    int small = (int) left;
    while (small >= 100) {
      int hundreds = small / 100;
      i = two(out, i - 2, small - 100 * hundreds) - 2;
      small = hundreds;
    }
    if (small < 10) {
      out[i - 1] = (byte) ('0' + small);
    } else {
      two(out, i - 2, small);
    }
    return end;
  }

  private static int width(long value) {
    int width = 1;
    long left = value;
    while (left >= 10_000) {
      left /= 10_000;
      width += 4;
    }
    return width + (left >= 100 ? left >= 1000 ? 3 : 2 : left >= 10 ? 1 : 0);
  }

  /** Writes two digits of a number below 100; the index after them. */
  static int two(byte[] out, int at, int value) {
    out[at] = TENS[value];
    out[at + 1] = ONES[value];
    return at + 2;
  }

  /** Writes so many digits, with zeros in front; the index after them. */
  static int padded(byte[] out, int at, long value, int width) {
    long left = value;
    for (int i = at + width - 1; i >= at; i--) {
      out[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return at + width;
  }
}
