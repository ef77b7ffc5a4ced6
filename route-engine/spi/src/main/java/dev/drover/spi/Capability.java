package dev.drover.spi;

/**
 * What a connector can do beyond moving rows. The contract tests of the test kit hold a connector
 * to what it declares, and to refuse what it does not.
 */
public enum Capability {
  /** The source can begin at any offset that it has given out. */
  RESUME,
  /** A source that is finite can also wait for more at its end. */
  FOLLOW
}
