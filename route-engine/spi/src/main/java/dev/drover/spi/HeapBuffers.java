package dev.drover.spi;

/** Keeps nothing. */
enum HeapBuffers implements Buffers {
  INSTANCE;

  @Override
  public byte[] bytes(int length) {
    return new byte[length];
  }

  @Override
  public long[] longs(int length) {
    return new long[length];
  }

  @Override
  public void give(byte[] array) {
    // Left to the garbage collector.
  }

  @Override
  public void give(long[] array) {
    // Left to the garbage collector.
  }
}
