package dev.drover.transforms;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Nearest;
import dev.drover.spi.Problem;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of JSON Schema that {@code cast} knows.
 *
 * @param kinds the types a value may have, null not among them; empty: any
 * @param nullable whether it may be null
 * @param format what text must be
 * @param document whether text holds a JSON document
 * @param choices the values it may have, as JSON; empty: any
 * @param standard the value of a missing one, as JSON; null: none
 * @param properties of an object
 * @param required names of the properties that must be there
 * @param additional whether an object may have others
 * @param items of an array; null: any
 */
record SchemaNode(
    Set<Kind> kinds,
    boolean nullable,
    @Nullable Format format,
    boolean document,
    List<String> choices,
    @Nullable String standard,
    Map<String, SchemaNode> properties,
    List<String> required,
    boolean additional,
    @Nullable SchemaNode items) {

  enum Kind {
    INTEGER,
    NUMBER,
    BOOLEAN,
    STRING,
    OBJECT,
    ARRAY
  }

  enum Format {
    DATE_TIME,
    LOCAL_DATE_TIME,
    DATE,
    TIME,
    UUID;

    String shown() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final Set<String> KNOWN =
      Set.of(
          "type",
          "nullable",
          "format",
          "contentMediaType",
          "contentSchema",
          "enum",
          "default",
          "properties",
          "required",
          "additionalProperties",
          "items");

  /** Tell, and rule nothing. */
  private static final Set<String> NOTES =
      Set.of(
          "$schema",
          "$id",
          "$comment",
          "title",
          "description",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly");

  /**
   * @param schema JSON as a tree
   * @param path JSON pointer of it in the schema, for errors
   */
  static SchemaNode read(@Nullable Object schema, String path) {
    if (schema instanceof Boolean all && all) {
      return read(Map.of(), path);
    }
    if (!(schema instanceof Map<?, ?> map)) {
      throw wrong(path, "a schema is an object", "write {\"type\": \"integer\"}");
    }
    for (Object key : map.keySet()) {
      String name = String.valueOf(key);
      if (!KNOWN.contains(name) && !NOTES.contains(name)) {
        String nearest = Nearest.match(name, KNOWN);
        throw new DroverException(
            new Problem(
                ErrorCode.NOT_SUPPORTED,
                "",
                "the schema's '%s/%s' is not known, and leaving it out of account could let wrong rows through"
                    .formatted(path, Shown.cut(name)),
                nearest == null
                    ? "take it out of the schema"
                    : "did you mean '%s'?".formatted(nearest),
                KNOWN.stream().sorted().toList()));
      }
    }
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    boolean nullable = kinds(map.get("type"), kinds, path);
    nullable |= Boolean.TRUE.equals(map.get("nullable"));
    Map<String, SchemaNode> properties = properties(map.get("properties"), path);
    Object contentSchema = map.get("contentSchema");
    SchemaNode content =
        contentSchema == null ? null : read(contentSchema, path + "/contentSchema");
    return new SchemaNode(
        kinds,
        nullable,
        format(map.get("format"), path),
        isJson(map.get("contentMediaType"), path),
        choices(map.get("enum"), path),
        map.containsKey("default") ? JsonTree.write(map.get("default")) : null,
        content == null ? properties : content.properties(),
        content == null ? names(map.get("required"), path) : content.required(),
        content == null ? additional(map.get("additionalProperties"), path) : content.additional(),
        content != null
            ? content.items()
            : map.get("items") == null ? null : read(map.get("items"), path + "/items"));
  }

  private static boolean kinds(@Nullable Object type, Set<Kind> kinds, String path) {
    List<?> names = type == null ? List.of() : type instanceof List<?> list ? list : List.of(type);
    boolean nullable = false;
    for (Object name : names) {
      if ("null".equals(name)) {
        nullable = true;
        continue;
      }
      Kind kind = null;
      List<String> known = new ArrayList<>();
      for (Kind candidate : Kind.values()) {
        String wire = candidate.name().toLowerCase(Locale.ROOT);
        known.add(wire);
        if (wire.equals(name)) {
          kind = candidate;
        }
      }
      if (kind == null) {
        String nearest = Nearest.match(String.valueOf(name), known);
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_ARGUMENT,
                "",
                "the schema's '%s/type' is %s, which is no type"
                    .formatted(path, Shown.cut(String.valueOf(name))),
                nearest == null
                    ? "one of %s, null".formatted(String.join(", ", known))
                    : "did you mean '%s'?".formatted(nearest),
                known));
      }
      kinds.add(kind);
    }
    return nullable;
  }

  private static @Nullable Format format(@Nullable Object value, String path) {
    if (value == null) {
      return null;
    }
    List<String> known = new ArrayList<>();
    for (Format format : Format.values()) {
      known.add(format.shown());
      if (format.shown().equals(value)) {
        return format;
      }
    }
    throw new DroverException(
        new Problem(
            ErrorCode.NOT_SUPPORTED,
            "",
            "the schema's '%s/format' is %s, which is not known"
                .formatted(path, Shown.cut(value.toString())),
            "use one of %s, or leave it out".formatted(String.join(", ", known)),
            known));
  }

  private static boolean isJson(@Nullable Object value, String path) {
    if (value == null) {
      return false;
    }
    String type = value.toString().toLowerCase(Locale.ROOT);
    if (type.equals("application/json") || type.equals("text/json") || type.endsWith("+json")) {
      return true;
    }
    throw wrong(
        path + "/contentMediaType",
        "only JSON is known, not " + Shown.cut(type),
        "write \"contentMediaType\": \"application/json\", or leave it out");
  }

  private static List<String> choices(@Nullable Object value, String path) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list) || list.isEmpty()) {
      throw wrong(path + "/enum", "must be a list of values", "write \"enum\": [\"a\", \"b\"]");
    }
    return list.stream().map(JsonTree::write).toList();
  }

  private static Map<String, SchemaNode> properties(@Nullable Object value, String path) {
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong(
          path + "/properties",
          "must be an object of schemas",
          "write \"properties\": {\"id\": {\"type\": \"integer\"}}");
    }
    Map<String, SchemaNode> properties = new LinkedHashMap<>();
    map.forEach(
        (name, schema) ->
            properties.put(String.valueOf(name), read(schema, path + "/properties/" + name)));
    return properties;
  }

  private static List<String> names(@Nullable Object value, String path) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw wrong(
          path + "/required", "must be a list of names", "write \"required\": [\"id\", \"name\"]");
    }
    return list.stream().map(String::valueOf).toList();
  }

  private static boolean additional(@Nullable Object value, String path) {
    if (value == null || value instanceof Boolean) {
      return !Boolean.FALSE.equals(value);
    }
    throw new DroverException(
        new Problem(
            ErrorCode.NOT_SUPPORTED,
            "",
            "the schema's '%s/additionalProperties' can only be true or false".formatted(path),
            "name the fields under properties"));
  }

  private static DroverException wrong(String path, String why, String suggestion) {
    return new DroverException(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "",
            "the schema's '%s': %s".formatted(path.isEmpty() ? "/" : path, why),
            suggestion));
  }

  /** The only kind that a value may have; null if there are several or any. */
  @Nullable Kind only() {
    return kinds.size() == 1 ? kinds.iterator().next() : null;
  }

  /** Whether there is something to be done inside an object or an array. */
  boolean reachesIn() {
    return !properties.isEmpty() || !required.isEmpty() || !additional || items != null;
  }
}
