package dev.drover.spi;

import java.util.List;

/** The fields of a batch, in order. Two schemas are equal if their fields are. */
public record Schema(List<Field> fields) {

  public Schema {
    fields = List.copyOf(fields);
    if (fields.stream().map(Field::name).distinct().count() != fields.size()) {
      throw new IllegalArgumentException("two fields have the same name");
    }
  }

  /** The number of fields. */
  public int size() {
    return fields.size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schema schema && fields.equals(schema.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }
}
