package dev.drover.spi;

import org.jspecify.annotations.Nullable;

/** Where a route writes to. Made for one run; calls come from one thread. */
public interface Sink {

  /** The strongest promise that this sink keeps for rows of such a source. */
  Guarantee guarantee(Traits source);

  /** What this sink writes over, comparable with {@link Source#identity}; null if nothing. */
  default @Nullable Object identity() {
    return null;
  }

  /** Opens the target for one writer. */
  SinkWriter writer(WriterScope scope);
}
