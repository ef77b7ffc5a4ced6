package dev.drover.spi;

/**
 * Undecoded input of one split as it came from I/O. Made by {@link Reader#read}; owned by the
 * engine from then on.
 */
public interface Chunk {

  Split split();

  /** The place in the split after this chunk. */
  Offset end();

  /** How many bytes of input it holds: what counts against {@code max_in_flight_bytes}. */
  int bytes();

  /**
   * Where in the split the first byte of the arena is that the rows of this chunk are decoded into,
   * the same whenever these rows are read; negative: that is not how this source counts.
   */
  default long start() {
    return -1;
  }

  /**
   * Tells apart what of the split has places of its own, such as files of one name; mostly empty.
   */
  default String stream() {
    return "";
  }

  /**
   * Decodes the rows, in order. Called once at most, by any worker thread, while other chunks of
   * the same split are decoded by others. The batches are valid until {@link #release}.
   *
   * @throws DroverException if the input is broken in a way that no single row can be blamed for
   */
  void decode(Decoded out);

  /** Gives the memory back. Called once by the engine, on any thread, decoded or not. */
  void release();
}
