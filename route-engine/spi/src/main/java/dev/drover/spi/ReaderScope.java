package dev.drover.spi;

import java.time.Duration;

/** What a reader may ask of the engine. To be used by the reader's thread only. */
public interface ReaderScope {

  Access access();

  /** Memory for chunks. */
  Buffers buffers();

  /** The most rows that a batch of this run may have, at least 1. */
  int maxBatchRows();

  /** What a chunk may hold before it is handed on; one record may be larger. At least 1. */
  int maxBatchBytes();

  /** How long rows may wait for more before they are handed on, where the run waits for more. */
  Duration flushInterval();

  /** Whether the run ends when a split has no more rows for now; else the reader waits for more. */
  boolean exitOnEmpty();

  /** No row of this split will follow. Called once a split, after its last chunk was returned. */
  void finished(Split split);

  /** Tells of something odd that loses nothing; shown in the status of the run, a few at most. */
  void warn(String text);
}
