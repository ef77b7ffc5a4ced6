package dev.drover.spi;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes encoded rows. All calls come from one thread, in this order: {@link #restore} once, then
 * {@link #encoder}, {@link #write} and {@link #commit}, then {@link #finish} or {@link #abort}
 * once.
 */
public interface SinkWriter {

  /**
   * Claims the target and tells what it already holds. Older writers of the same checkpoint are
   * fenced off from here on.
   *
   * @return where each split goes on; a split that is missing begins at its start
   */
  Map<Split, Offset> restore();

  /**
   * The encoder for a schema. Called in row order, once a schema, before any batch of it is
   * written: the place for a header or a table definition.
   */
  Encoder encoder(Schema schema);

  /**
   * Takes the next rows. Rows of one split come in order.
   *
   * @return completed when the system has answered, on any thread; exceptionally if it failed. The
   *     engine releases {@code rows} after that
   */
  CompletionStage<Written> write(Encoded rows);

  /**
   * Makes everything that was answered durable, and the offsets with it if the sink keeps them.
   * Every write has been answered by then.
   */
  void commit(Map<Split, Offset> upTo);

  /**
   * Ends a run whose rows have all been committed and makes them visible.
   *
   * @return where they are; null if there is nothing to say
   */
  @Nullable Destination finish();

  /** Ends a run that failed or was stopped, and takes back what was not committed if it can. */
  void abort();
}
