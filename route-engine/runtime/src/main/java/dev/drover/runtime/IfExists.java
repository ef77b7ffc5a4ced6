package dev.drover.runtime;

/** What to do when a run of the same name is known already. */
public enum IfExists {
  /** Refuse while it goes on. */
  ERROR,
  /** Return it, if it goes on or was the same route: for a caller that lost the first answer. */
  RETURN,
  /** Stop it and start anew. */
  REPLACE
}
