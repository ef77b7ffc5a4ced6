package dev.drover.formats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes at a time in a long, the first byte lowest. Loads and stores take any index and touch
 * eight bytes, so arrays have room past their content.
 */
final class Swar {

  /** Line feeds. */
  static final long LINE_FEEDS = 0x0a0a0a0a0a0a0a0aL;

  /** The lowest bit of every byte; times a byte: that byte eight times. */
  static final long ONES = 0x0101010101010101L;

  /** The highest bit of every byte. */
  static final long HIGH = 0x8080808080808080L;

  /** All bits but the highest of every byte. */
  static final long LOW = 0x7f7f7f7f7f7f7f7fL;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Swar() {}

  static long load(byte[] array, int index) {
    return (long) LONG.get(array, index);
  }

  static void store(byte[] array, int index, long value) {
    LONG.set(array, index, value);
  }

  /** The byte, which is not negative, eight times. */
  static long spread(byte b) {
    return ONES * b;
  }

  /** The highest bit of every byte that is equal to the ASCII byte of the pattern. */
  static long matches(long x, long pattern) {
    return ~(((x & LOW) ^ pattern) + LOW) & ~x & HIGH;
  }

  /**
   * The index of the first byte that is equal to the ASCII byte of the pattern.
   *
   * @return {@code to} if there is none before
   */
  static int find(byte[] array, int from, int to, long pattern) {
    int i = from;
    while (to - i >= 4 * Long.BYTES) {
      long a = near(load(array, i), pattern);
      long b = near(load(array, i + Long.BYTES), pattern);
      long c = near(load(array, i + 2 * Long.BYTES), pattern);
      long d = near(load(array, i + 3 * Long.BYTES), pattern);
      if ((a | b | c | d) == 0) {
        i += 4 * Long.BYTES;
        continue;
      }
      if (a != 0) {
        return i + first(a);
      }
      if (b != 0) {
        return i + Long.BYTES + first(b);
      }
      return c != 0 ? i + 2 * Long.BYTES + first(c) : i + 3 * Long.BYTES + first(d);
    }
    while (i < to) {
      long hits = near(load(array, i), pattern);
      if (hits != 0) {
        return Math.min(to, i + first(hits));
      }
      i += Long.BYTES;
    }
    return to;
  }

  /** As {@link #matches}, exact up to the first only. */
  private static long near(long x, long pattern) {
    long difference = x ^ pattern;
    return (difference - ONES) & ~difference & HIGH;
  }

  private static int first(long hits) {
    return Long.numberOfTrailingZeros(hits) >>> 3;
  }
}
