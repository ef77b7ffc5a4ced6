package dev.drover.spi;

/**
 * A place inside a split, in the system's native terms; everything before it has been read.
 * Immutable, with value equality. Offsets of one split are comparable with each other.
 */
public interface Offset extends Comparable<Offset> {

  /** The form in which it is stored; {@link Source#offset} reads it back. */
  String text();
}
