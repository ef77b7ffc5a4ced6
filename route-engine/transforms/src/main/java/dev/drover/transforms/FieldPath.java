package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Nearest;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a row: a field, and maybe a way into the JSON document in it. Written with dots,
 * {@code attributes.tier}; a key that holds a dot or another sign stands in brackets, {@code
 * ["a.b"].c}, and so does the index of an array, {@code tags[0]}. A leading {@code $.} changes
 * nothing.
 *
 * @param text as it was written
 * @param steps names of keys, and indexes; the first one is the field
 */
record FieldPath(String text, List<Part> steps) {

  /** One step: a key, or an index. */
  static final class Part {
    private final @Nullable String key;
    private final byte[] utf8;
    private final int index;

    private Part(@Nullable String key, int index) {
      this.key = key;
      this.utf8 = key == null ? new byte[0] : key.getBytes(UTF_8);
      this.index = index;
    }

    static Part key(String key) {
      return new Part(key, -1);
    }

    static Part index(int index) {
      return new Part(null, index);
    }

    /** Null for an index. */
    @Nullable String key() {
      return key;
    }

    byte[] utf8() {
      return utf8;
    }

    int index() {
      return index;
    }
  }

  /**
   * @throws DroverException invalid_argument if it is no path; the problem has no path of its own
   */
  static FieldPath parse(String text) {
    List<Part> parts = new ArrayList<>();
    int i = text.startsWith("$.") ? 2 : text.startsWith("$[") ? 1 : 0;
    boolean keyNext = true;
    while (i < text.length() || keyNext) {
      if (i < text.length() && text.charAt(i) == '[') {
        i = bracket(text, i, parts);
      } else if (keyNext) {
        int end = i;
        while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
          end++;
        }
        if (end == i) {
          throw wrong(text, "a name is missing");
        }
        parts.add(Part.key(text.substring(i, end)));
        i = end;
      } else {
        throw wrong(text, "a dot is missing before '%s'".formatted(text.substring(i)));
      }
      keyNext = false;
      if (i < text.length() && text.charAt(i) == '.') {
        keyNext = true;
        i++;
      }
    }
    if (parts.getFirst().key() == null) {
      throw wrong(text, "it must begin with a name");
    }
    return new FieldPath(text, List.copyOf(parts));
  }

  /** The field of this very name, whatever signs are in it. */
  static FieldPath ofField(String name) {
    return new FieldPath(name, List.of(Part.key(name)));
  }

  private static int bracket(String text, int at, List<Part> parts) {
    int i = at + 1;
    if (i < text.length() && (text.charAt(i) == '"' || text.charAt(i) == '\'')) {
      char quote = text.charAt(i);
      StringBuilder key = new StringBuilder();
      i++;
      while (i < text.length() && text.charAt(i) != quote) {
        if (text.charAt(i) == '\\' && i + 1 < text.length()) {
          i++;
        }
        key.append(text.charAt(i++));
      }
      i++;
      parts.add(Part.key(key.toString()));
    } else {
      int end = i;
      while (end < text.length() && Character.isDigit(text.charAt(end))) {
        end++;
      }
      if (end == i || end - i > 9) {
        throw wrong(text, "in brackets stands a name in quotes, or an index");
      }
      parts.add(Part.index(Integer.parseInt(text.substring(i, end))));
      i = end;
    }
    if (i >= text.length() || text.charAt(i) != ']') {
      throw wrong(text, "a closing bracket is missing");
    }
    return i + 1;
  }

  private static DroverException wrong(String text, String why) {
    return new DroverException(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "",
            "'%s' is no path of a field: %s".formatted(Shown.cut(text), why),
            "write a.b for a key in a document, and [\"a.b\"] for a name that holds a dot"));
  }

  /** The name of the field. */
  String field() {
    String key = steps.getFirst().key();
    return key == null ? text : key;
  }

  /** Whether it leads into a document. */
  boolean isNested() {
    return steps.size() > 1;
  }

  /**
   * Where the path is in rows of a schema. A field that has the whole text as its name is meant if
   * there is no other.
   *
   * @return null if rows of the schema lack the field, which is no mistake in an open schema
   * @throws DroverException unknown_field if the schema is not open and lacks the field;
   *     invalid_argument if the path leads into a field that is no document
   */
  @Nullable Place in(Schema schema) {
    return in(schema, schema.open());
  }

  /**
   * @param mayLack whether the schema may lack the field
   */
  @Nullable Place in(Schema schema, boolean mayLack) {
    int field = schema.indexOf(field());
    if (field < 0 && isNested()) {
      int literal = schema.indexOf(text);
      if (literal >= 0) {
        return new Place(literal, List.of());
      }
    }
    if (field < 0) {
      if (mayLack) {
        return null;
      }
      throw unknown(schema);
    }
    if (isNested() && schema.fields().get(field).type() != Type.JSON) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "",
              "'%s' leads into the field '%s', which is no JSON but %s"
                  .formatted(
                      Shown.cut(text),
                      Shown.cut(field()),
                      Shown.type(schema.fields().get(field).type())),
              "put a cast before it: {\"cast\": {\"schema\": {\"properties\": {\"%s\": {\"contentMediaType\": \"application/json\"}}}}}"
                  .formatted(field())));
    }
    return new Place(field, steps.subList(1, steps.size()));
  }

  private DroverException unknown(Schema schema) {
    List<String> names = schema.fields().stream().map(Field::name).toList();
    String nearest = Nearest.match(field(), names);
    return new DroverException(
        new Problem(
            ErrorCode.UNKNOWN_FIELD,
            "",
            "the rows have no field '%s'; they have %s"
                .formatted(Shown.cut(field()), Shown.names(names)),
            nearest == null
                ? "name one of these fields"
                : "did you mean '%s'?".formatted(Shown.cut(nearest))));
  }

  /**
   * A path in a schema.
   *
   * @param field the index of the field
   * @param inside the way from there into the document; empty: the field itself
   */
  record Place(int field, List<Part> inside) {}
}
