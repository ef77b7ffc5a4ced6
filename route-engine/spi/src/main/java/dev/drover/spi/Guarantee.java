package dev.drover.spi;

/**
 * What a route promises about each row, from weakest to strongest. A route has its parts' weakest.
 */
public enum Guarantee {
  /** No row is lost; after a failure a row may be there twice. */
  AT_LEAST_ONCE,
  /** No row is lost and none is there twice, or the whole run has left no trace. */
  EXACTLY_ONCE
}
