package dev.drover.formats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes at a time in a long, the first byte lowest. Loads and stores take any index and touch
 * eight bytes, so arrays have room past their content.
 */
final class Swar {

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
}
