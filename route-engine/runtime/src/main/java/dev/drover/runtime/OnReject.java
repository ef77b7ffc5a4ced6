package dev.drover.runtime;

/** What becomes of a row that is refused for its content: the option {@code on_reject}. */
public enum OnReject {
  /** The run fails. */
  FAIL,
  /** The row is counted and left out. */
  SKIP,
  /** The row is counted and stored in the sink that {@code dead_letter} names. */
  DEAD_LETTER
}
