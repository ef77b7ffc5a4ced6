package dev.drover.spi;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes encoded rows. All calls come from one thread, in this order: {@link #restore} once, then
 * {@link #encoder}, {@link #write} and {@link #commit}, then {@link #finish} or {@link #abort}
 * once. What happens after a failure depends on the {@link CommitMode}.
 */
public interface SinkWriter {

  /**
   * Claims the target and tells what it already holds. Older writers of the same checkpoint are
   * fenced off from here on: their commits fail with {@link ErrorCode#FENCED}.
   *
   * @return of a sink that keeps the checkpoint, {@link Progress#stored} of each split as it was
   *     committed last; empty if nothing was, or if {@link WriterScope#resume} is false. What was
   *     written after that commit is gone
   * @throws DroverException with {@link ErrorCode#TARGET_BUSY} if another writer has it, {@link
   *     ErrorCode#CHECKPOINT_MISMATCH} if what is there is another route's, {@link
   *     ErrorCode#TARGET_CHANGED} if somebody else has touched it
   */
  Map<Split, String> restore();

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
   * Makes everything that was answered durable, and the progress with it if the sink keeps it.
   * Every write has been answered by then. A failure may mean that nobody knows whether it was
   * done.
   *
   * @param upTo all splits that have come anywhere, in this run or before; the others are missing
   */
  void commit(Map<Split, Progress> upTo);

  /**
   * Ends a run whose rows have all been committed and makes them visible.
   *
   * @return where they are; null if there is nothing to say
   */
  @Nullable Destination finish();

  /**
   * Ends a run that failed or was stopped: lets go of the target and takes back what was not
   * committed if it can. What a run with a checkpoint has committed stays for the next one. Also
   * called if {@link #restore} failed.
   */
  void abort();
}
