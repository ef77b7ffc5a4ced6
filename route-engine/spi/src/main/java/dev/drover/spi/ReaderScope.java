package dev.drover.spi;

/** What a reader may ask of the engine. To be used by the reader's thread only. */
public interface ReaderScope {

  Access access();

  /** Memory for chunks. */
  Buffers buffers();

  /** The most rows that a batch of this run may have, at least 1. */
  int maxBatchRows();

  /** Whether the run ends when a split has no more rows for now; else the reader waits for more. */
  boolean exitOnEmpty();

  /** No row of this split will follow. Called once a split, after its last chunk was returned. */
  void finished(Split split);

  /** Tells of something odd that loses nothing; shown in the status of the run, a few at most. */
  void warn(String text);
}
