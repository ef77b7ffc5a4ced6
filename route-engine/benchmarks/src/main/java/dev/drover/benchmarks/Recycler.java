package dev.drover.benchmarks;

import dev.drover.spi.Buffers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Recycles arrays by power of two; one thread. */
final class Recycler implements Buffers {

  private static final int CLASSES = 32;

  private final List<Deque<byte[]>> bytes = new ArrayList<>();
  private final List<Deque<long[]>> longs = new ArrayList<>();

  Recycler() {
    for (int i = 0; i < CLASSES; i++) {
      bytes.add(new ArrayDeque<>());
      longs.add(new ArrayDeque<>());
    }
  }

  @Override
  public byte[] bytes(int length) {
    int exponent = exponent(length);
    byte[] array = bytes.get(exponent).poll();
    return array == null ? new byte[1 << exponent] : array;
  }

  @Override
  public long[] longs(int length) {
    int exponent = exponent(length);
    long[] array = longs.get(exponent).poll();
    return array == null ? new long[1 << exponent] : array;
  }

  @Override
  public void give(byte[] array) {
    if (Integer.bitCount(array.length) == 1) {
      bytes.get(exponent(array.length)).push(array);
    }
  }

  @Override
  public void give(long[] array) {
    if (Integer.bitCount(array.length) == 1) {
      longs.get(exponent(array.length)).push(array);
    }
  }

  private static int exponent(int length) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(length, 2) - 1);
  }
}
