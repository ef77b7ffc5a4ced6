package dev.drover.spi;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a route writes to. Made for one run; calls come from one thread. */
public interface Sink {

  /** How this sink keeps the rows of the run that it was made for; always the same answer. */
  CommitMode commitMode();

  /** What this sink writes over, comparable with {@link Source#identity}; null if nothing. */
  default @Nullable Object identity() {
    return null;
  }

  /** What the rows must have. */
  default Set<Need> needs() {
    return Set.of();
  }

  /** Opens the target. Called again after a failure, once the writer before was aborted. */
  SinkWriter writer(WriterScope scope);
}
