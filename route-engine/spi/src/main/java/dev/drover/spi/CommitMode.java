package dev.drover.spi;

/** How a sink keeps the rows of a run, and with it what a route into it can promise. */
public enum CommitMode {
  /**
   * A commit makes rows durable and knows nothing of offsets; the engine keeps the checkpoint, if
   * the run has one, somewhere else and writes it afterwards. At least once. A write or commit that
   * failed may be tried again with the same writer.
   */
  ROWS,
  /**
   * Nothing is visible before {@link SinkWriter#finish}, and {@link SinkWriter#abort} leaves no
   * trace: each row is there once, or none is. For runs that are not resumed. A write that failed
   * has left nothing behind and may be tried again with the same writer.
   */
  AT_END,
  /**
   * A commit stores the rows and the checkpoint together or not at all, and {@link
   * SinkWriter#restore} gives the checkpoint back: exactly once if the source is replayable. After
   * any failure the writer is aborted, and another one restores what was really committed.
   */
  WITH_CHECKPOINT
}
