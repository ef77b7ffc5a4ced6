package dev.drover.spi;

/** Takes what {@link Chunk#decode} finds. Calls come from the decoding thread, in row order. */
public interface Decoded {

  /** The next rows; the batch may have no row. */
  void batch(Batch batch);

  /**
   * A row that is refused for its content.
   *
   * @throws DroverException if the route's policy is to fail; the decoder passes it on
   */
  void reject(RejectedRow row);

  /**
   * A row that did not have the fields that it should have, and was given them as the options of
   * the source say. It comes in a batch all the same.
   *
   * @param line its place among the lines of the chunk, from 1
   */
  default void repaired(long line) {
    // Who tells nobody need not know.
  }

  /**
   * Called once at the end: how far the chunk reaches, so that the place of a row in later chunks
   * can be told.
   *
   * @param records records of the chunk, rejected ones included; a header or a blank line is none
   * @param lines line ends of the chunk, also those inside quotes
   */
  void advanced(long records, long lines);
}
