package dev.drover.runtime;

import dev.drover.spi.Buffers;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps arrays that were given back, up to {@link #MAX_RETAINED_BYTES}, for all runs of an engine.
 * Sizes are rounded up so that a few sizes serve all.
 */
final class PooledBuffers implements Buffers {

  /** What is kept for later, at most. */
  static final long MAX_RETAINED_BYTES = 32L << 20;

  /** Larger arrays are left to the garbage collector: a route rarely needs the next one. */
  private static final int MAX_POOLED_BYTES = 4 << 20;

  private static final int LEAST = 1 << 12;

  private final boolean overwrite;
  private final NavigableMap<Integer, Deque<byte[]>> bytes = new TreeMap<>();
  private final NavigableMap<Integer, Deque<long[]>> longs = new TreeMap<>();
  private long retained;

  /**
   * @param overwrite whether arrays are filled with rubbish when they come back, so that tests
   *     notice who still uses them
   */
  PooledBuffers(boolean overwrite) {
    this.overwrite = overwrite;
  }

  @Override
  public byte[] bytes(int length) {
    int size = roundUp(length);
    byte[] array = take(bytes, size, size);
    return array == null ? new byte[size] : array;
  }

  @Override
  public long[] longs(int length) {
    int size = roundUp(length);
    long[] array = take(longs, size, Long.BYTES * (long) size);
    return array == null ? new long[size] : array;
  }

  @Override
  public void give(byte[] array) {
    if (overwrite) {
      Arrays.fill(array, (byte) 0xDB);
    }
    keep(bytes, array, array.length, array.length);
  }

  @Override
  public void give(long[] array) {
    if (overwrite) {
      Arrays.fill(array, 0xDBDB_DBDB_DBDB_DBDBL);
    }
    keep(longs, array, array.length, Long.BYTES * (long) array.length);
  }

  /** The next of the sizes 4096, 6144, 8192, 12288, …: at most half is wasted. */
  private static int roundUp(int length) {
    if (length <= LEAST) {
      return LEAST;
    }
    int power = Integer.highestOneBit(length - 1);
    int middle = power + (power >> 1);
    if (length <= middle) {
      return middle;
    }
    return power < 1 << 30 ? power << 1 : length;
  }

  private synchronized <A> @Nullable A take(
      NavigableMap<Integer, Deque<A>> pool, int size, long sizeBytes) {
    Deque<A> free = pool.get(size);
    A array = free == null ? null : free.pollLast();
    if (array != null) {
      retained -= sizeBytes;
    }
    return array;
  }

  private synchronized <A> void keep(
      NavigableMap<Integer, Deque<A>> pool, A array, int length, long sizeBytes) {
    if (sizeBytes <= MAX_POOLED_BYTES && retained + sizeBytes <= MAX_RETAINED_BYTES) {
      pool.computeIfAbsent(length, key -> new ArrayDeque<>()).addLast(array);
      retained += sizeBytes;
    }
  }
}
