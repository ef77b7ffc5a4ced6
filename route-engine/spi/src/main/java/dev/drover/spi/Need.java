package dev.drover.spi;

/** What a sink asks of the rows that it is given. */
public enum Need {
  /** Fields, not an opaque payload: a payload is read as a JSON object. */
  FIELDS,
  /** No objects: their keys are fields of their own, {@code a.b}. */
  FLAT,
  /**
   * A metadata field {@code message_id} of type STRING; rows that bring none get one that follows
   * from where they come from, the same when they are read again.
   */
  MESSAGE_ID
}
