package dev.drover.mcp;

import java.util.List;

/**
 * One argument of a tool, or one key of its reply. Schema, check and suggestions come from it.
 *
 * @param description one short sentence; empty: the name says it
 * @param aliases other names that are understood and not advertised
 * @param allowed the texts that a {@link Kind#TEXT} may be; empty: any
 * @param min least value of an {@link Kind#INTEGER}
 * @param max greatest value of an {@link Kind#INTEGER}; most characters of a {@link Kind#TEXT}; 0:
 *     without a limit
 * @param nested keys of an {@link Kind#OBJECT}; empty: any
 */
record Parameter(
    String name,
    Kind kind,
    boolean required,
    String description,
    List<String> aliases,
    List<String> allowed,
    long min,
    long max,
    List<Parameter> nested) {

  enum Kind {
    TEXT("string"),
    INTEGER("integer"),
    NUMBER("number"),
    FLAG("boolean"),
    OBJECT("object"),
    LIST("array"),
    /** A text or null. */
    ANY("");

    private final String schemaType;

    Kind(String schemaType) {
      this.schemaType = schemaType;
    }

    String schemaType() {
      return schemaType;
    }
  }

  static Parameter text(String name, String description) {
    return new Parameter(
        name, Kind.TEXT, false, description, List.of(), List.of(), 0, 0, List.of());
  }

  static Parameter choice(String name, String description, String... allowed) {
    return new Parameter(
        name, Kind.TEXT, false, description, List.of(), List.of(allowed), 0, 0, List.of());
  }

  static Parameter integer(String name, long min, long max, String description) {
    return new Parameter(
        name, Kind.INTEGER, false, description, List.of(), List.of(), min, max, List.of());
  }

  static Parameter of(String name, Kind kind) {
    return new Parameter(name, kind, false, "", List.of(), List.of(), 0, 0, List.of());
  }

  static Parameter flag(String name, String description) {
    return new Parameter(
        name, Kind.FLAG, false, description, List.of(), List.of(), 0, 0, List.of());
  }

  static Parameter object(String name, String description, Parameter... nested) {
    return new Parameter(
        name, Kind.OBJECT, false, description, List.of(), List.of(), 0, 0, List.of(nested));
  }

  static Parameter list(String name, String description) {
    return new Parameter(
        name, Kind.LIST, false, description, List.of(), List.of(), 0, 0, List.of());
  }

  Parameter mandatory() {
    return new Parameter(name, kind, true, description, aliases, allowed, min, max, nested);
  }

  Parameter atMost(long most) {
    return new Parameter(name, kind, required, description, aliases, allowed, min, most, nested);
  }

  Parameter alias(String alias) {
    return new Parameter(
        name, kind, required, description, List.of(alias), allowed, min, max, nested);
  }

  boolean called(String key) {
    return name.equals(key) || aliases.contains(key);
  }

  /** Writes the JSON Schema of an object with these keys. */
  static void writeSchema(JsonWriter json, List<Parameter> parameters) {
    json.beginObject().field("type", "object");
    writeProperties(json, parameters);
    json.endObject();
  }

  private static void writeProperties(JsonWriter json, List<Parameter> parameters) {
    json.key("properties").beginObject();
    for (Parameter parameter : parameters) {
      json.key(parameter.name);
      parameter.writeSchema(json);
    }
    json.endObject();
    List<Parameter> mandatory = parameters.stream().filter(Parameter::required).toList();
    if (!mandatory.isEmpty()) {
      json.key("required").beginArray();
      mandatory.forEach(parameter -> json.value(parameter.name));
      json.endArray();
    }
  }

  private void writeSchema(JsonWriter json) {
    json.beginObject();
    if (!kind.schemaType().isEmpty()) {
      json.field("type", kind.schemaType());
    }
    if (!description.isEmpty()) {
      json.field("description", description);
    }
    if (!allowed.isEmpty()) {
      json.key("enum").beginArray();
      allowed.forEach(json::value);
      json.endArray();
    }
    if (kind == Kind.INTEGER && max > 0) {
      json.field("minimum", min).field("maximum", max);
    }
    if (!nested.isEmpty()) {
      writeProperties(json, nested);
    }
    json.endObject();
  }
}
