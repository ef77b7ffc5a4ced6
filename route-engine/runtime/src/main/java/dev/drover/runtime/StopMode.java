package dev.drover.runtime;

/** How to stop a run. */
public enum StopMode {
  /** Read no more; write and commit what was read. */
  DRAIN,
  /** Drop what is in flight and commit nothing more. */
  NOW
}
