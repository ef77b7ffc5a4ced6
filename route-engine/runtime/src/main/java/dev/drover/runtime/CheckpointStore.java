package dev.drover.runtime;

import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the checkpoints of routes whose sink cannot. Calls may come from any thread; those for one
 * id come from its holder only.
 */
public interface CheckpointStore {

  /** Gives the checkpoint of this id free. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Claims a checkpoint, against other processes too.
   *
   * @throws DroverException with {@link ErrorCode#TARGET_BUSY} if another run holds it
   */
  Hold hold(String id);

  /**
   * The checkpoint; null if there is none.
   *
   * @throws DroverException with {@link ErrorCode#CHECKPOINT_BROKEN} if it is not whole
   */
  @Nullable Checkpoint load(String id);

  /** Stores a checkpoint: afterwards all of it is there, or, after a failure, what was before. */
  void save(Checkpoint checkpoint);

  /**
   * Forgets a checkpoint.
   *
   * @return whether there was one
   */
  boolean remove(String id);

  /** The ids of all checkpoints, in order. */
  List<String> ids();
}
