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

  // As in Split.
  @Override
  public boolean equals(Object other) {
    return other instanceof Field field
        && name.equals(field.name)
        && type == field.type
        && role == field.role;
  }

  @Override
  public int hashCode() {
    return (name.hashCode() * 31 + type.hashCode()) * 31 + role.hashCode();
  }
}
