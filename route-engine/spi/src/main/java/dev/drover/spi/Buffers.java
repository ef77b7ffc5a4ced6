package dev.drover.spi;

/**
 * Recycles the arrays of a run, so that a running route allocates next to nothing. Any thread. The
 * content of a taken array is undefined. Giving back is optional and at most once; afterwards the
 * array must not be touched.
 */
public interface Buffers {

  /** An array of at least the given length. */
  byte[] bytes(int length);

  /** An array of at least the given length. */
  long[] longs(int length);

  void give(byte[] array);

  void give(long[] array);

  /** Buffers that are made anew each time and left to the garbage collector. */
  static Buffers heap() {
    return HeapBuffers.INSTANCE;
  }
}
