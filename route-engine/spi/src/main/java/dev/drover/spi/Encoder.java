package dev.drover.spi;

import java.util.List;

/** Turns batches of one schema into what the sink writes. */
public interface Encoder {

  /**
   * Called by any worker thread, by several at once. The batch is not kept past the call.
   *
   * @throws DroverException if the rows cannot be written in this form
   */
  Encoded encode(Batch batch);

  /**
   * Called by the same worker when all batches of a chunk are encoded, or as many as went well: for
   * sinks that make more of many rows than of a few.
   *
   * @param rows what {@link #encode} has returned for the chunk, by encoders of the same writer, in
   *     order
   * @return what to write instead, with the same rows in the same order; what is not in it any more
   *     has been released. If the call fails, nothing has
   */
  default List<Encoded> pack(List<Encoded> rows) {
    return rows;
  }
}
