package dev.drover.spi;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads splits. All calls but {@link #wakeUp} come from one thread. The order is: {@link #assign}
 * at least once, then {@link #assign}, {@link #read} and {@link #committed} in any order, then
 * {@link #close}. If a call fails, the reader is closed; another one may go on where it was.
 */
public interface Reader extends AutoCloseable {

  /**
   * Takes a split on.
   *
   * @param from where to begin, an offset given out by an earlier reader of the same source; null:
   *     at the start
   */
  void assign(Split split, @Nullable Offset from);

  /**
   * The next chunk of any assigned split; chunks of one split come in order.
   *
   * @param wait how long to wait at most
   * @return null if there is nothing now. A split that will never have more has been given to
   *     {@link ReaderScope#finished} by then
   */
  @Nullable Chunk read(Duration wait);

  /** Tells what is durably in the sink, never backwards; for systems that keep such a place. */
  default void committed(Map<Split, Offset> upTo) {}

  /** Makes a waiting {@link #read} return soon. Any thread, at any time, also after close. */
  default void wakeUp() {}

  /** Frees everything. Chunks that were given out stay valid. */
  @Override
  void close();
}
