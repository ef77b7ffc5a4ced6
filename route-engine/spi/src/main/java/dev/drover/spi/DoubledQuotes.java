package dev.drover.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Undoes the doubling of quotes in place.
 *
 * <p>This class is ugly because every document in a CSV file goes through it: eight bytes at a
 * time, of which the second quote of each pair is squeezed out. The test has the plain form.
 */
final class DoubledQuotes {

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long LOW = 0x7f7f7f7f7f7f7f7fL;
  private static final long QUOTES = ONES * '"';
  private static final int BYTE_MASK = 0xff;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private DoubledQuotes() {}

  /**
   * @param arena with at least seven bytes behind the text, which are read and not changed
   * @return the length of the text now
   */
  static int undo(byte[] arena, int from, int length) {
    int end = from + length;
    int read = from;
    int write = from;
    long odd = 0;
    while (end - read >= Long.BYTES) {
      long x = (long) LONG.get(arena, read);
      long other = x ^ QUOTES;
      long quotes = (~(((other & LOW) + LOW) | other | LOW) & HIGH) >>> 7;
      long counts = quotes * ONES;
      // The quotes with an odd number of quotes before them.
      long seconds = quotes & ~(counts ^ odd);
      LONG.set(arena, write, Long.compress(x, ~(seconds * BYTE_MASK)));
      write += Long.BYTES - Long.bitCount(seconds);
      odd ^= -((counts >>> 56) & 1);
      read += Long.BYTES;
    }
    boolean second = odd != 0;
    for (; read < end; read++) {
      byte b = arena[read];
      boolean quote = b == '"';
      if (!(quote && second)) {
        arena[write++] = b;
      }
      second ^= quote;
    }
    return write - from;
  }
}
