package dev.drover.formats;

import dev.drover.spi.Buffers;
import java.util.Arrays;

/** Fresh arrays full of rubbish; what is given back is spoilt, so that a later use shows. */
final class HeapBuffers implements Buffers {

  private int held;

  @Override
  public byte[] bytes(int length) {
    held++;
    byte[] array = new byte[length];
    Arrays.fill(array, (byte) '"');
    return array;
  }

  @Override
  public long[] longs(int length) {
    held++;
    long[] array = new long[length];
    Arrays.fill(array, 0x5555_5555_5555_5555L);
    return array;
  }

  @Override
  public void give(byte[] array) {
    held--;
    Arrays.fill(array, (byte) 'X');
  }

  @Override
  public void give(long[] array) {
    held--;
    Arrays.fill(array, -1L);
  }

  /** Arrays taken and not given back. */
  int held() {
    return held;
  }
}
