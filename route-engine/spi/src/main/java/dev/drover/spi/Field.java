package dev.drover.spi;

/** A named column of a schema. Names are unique in a schema, case counts, and may be any text. */
public record Field(String name, Type type, Role role) {

  /** What a field is to the row. */
  public enum Role {
    VALUE,
    KEY,
    /** Tells about the row; written by envelopes only, unless it is selected. */
    METADATA
  }

  /** A field of role {@link Role#VALUE}. */
  public Field(String name, Type type) {
    this(name, type, Role.VALUE);
  }
}
