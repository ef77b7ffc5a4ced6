package dev.drover.spi;

/** Turns batches of one schema into what the sink writes. */
public interface Encoder {

  /**
   * Called by any worker thread, by several at once. The batch is not kept past the call.
   *
   * @throws DroverException if the rows cannot be written in this form
   */
  Encoded encode(Batch batch);
}
