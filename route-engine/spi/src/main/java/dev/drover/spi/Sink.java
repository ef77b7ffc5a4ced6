package dev.drover.spi;

/** Where a route writes to. Made for one run; calls come from one thread. */
public interface Sink {

  /** The strongest promise that this sink keeps for rows of such a source. */
  Guarantee guarantee(Traits source);

  /** Opens the target for one writer. */
  SinkWriter writer(WriterScope scope);
}
