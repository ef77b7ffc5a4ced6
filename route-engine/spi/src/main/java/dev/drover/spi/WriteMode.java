package dev.drover.spi;

/** What a sink does with a target that is there already: the option {@code write_mode}. */
public enum WriteMode {
  /** Refuse. */
  CREATE,
  /** Put the new rows in the place of the old ones. */
  REPLACE,
  /** Add the new rows to the old ones. */
  APPEND
}
