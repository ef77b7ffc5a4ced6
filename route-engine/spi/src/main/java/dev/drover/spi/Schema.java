package dev.drover.spi;

import java.util.List;

/**
 * The fields of a batch, in order. Two schemas are equal if their fields are and both are open or
 * neither is.
 *
 * @param open whether other batches of the same source may have other fields, as objects of JSON
 *     have: then a field that is not here is one that these rows lack, not a mistake
 */
public record Schema(List<Field> fields, boolean open) {

  public Schema {
    fields = List.copyOf(fields);
    if (fields.stream().map(Field::name).distinct().count() != fields.size()) {
      throw new IllegalArgumentException("two fields have the same name");
    }
  }

  /** A schema that all rows of its source have. */
  public Schema(List<Field> fields) {
    this(fields, false);
  }

  /** The number of fields. */
  public int size() {
    return fields.size();
  }

  /** The index of the field of this name; -1 if there is none. Not for hot paths. */
  public int indexOf(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    // Mostly it is the very same one.
    return this == other
        || (other instanceof Schema schema && open == schema.open && fields.equals(schema.fields));
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }
}
