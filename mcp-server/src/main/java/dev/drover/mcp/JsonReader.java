package dev.drover.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one JSON document into maps in the order of their keys, lists, strings, {@link Long}s,
 * other numbers, booleans and null. Straight from the token stream: data binding would double the
 * cost of a cold call. Any thread.
 */
final class JsonReader {

  /** How deep objects and arrays may be nested. */
  static final int MAX_JSON_DEPTH = 200;

  /** The most characters of a key. */
  static final int MAX_JSON_NAME_LENGTH = 50_000;

  /** The most characters of a number. */
  static final int MAX_JSON_NUMBER_LENGTH = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_JSON_DEPTH)
                  .maxNameLength(MAX_JSON_NAME_LENGTH)
                  .maxNumberLength(MAX_JSON_NUMBER_LENGTH)
                  .build())
          .build();

  private JsonReader() {}

  /** Text that is no JSON document, or one beyond a limit. */
  static final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;
    private final boolean limit;

    private JsonException(String text, boolean limit, @Nullable Throwable cause) {
      super(text, cause);
      this.text = text;
      this.limit = limit;
    }

    String text() {
      return text;
    }

    /** Whether it is JSON, but too large in some way. */
    boolean limit() {
      return limit;
    }
  }

  static @Nullable Object read(byte[] json, int offset, int length) throws JsonException {
    try (JsonParser parser =
        FACTORY.createParser(ObjectReadContext.empty(), json, offset, length)) {
      return document(parser);
    }
  }

  static @Nullable Object read(String json) throws JsonException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      return document(parser);
    }
  }

  private static @Nullable Object document(JsonParser parser) throws JsonException {
    try {
      if (parser.nextToken() == null) {
        throw new JsonException("not JSON: empty", false, null);
      }
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new JsonException("not JSON: more text after the end, " + place(parser), false, null);
      }
      return value;
    } catch (StreamConstraintsException e) {
      throw new JsonException(
          ("beyond max_json_depth (%d), max_json_name_length (%d) or max_json_number_length (%d),"
                  + " %s")
              .formatted(
                  MAX_JSON_DEPTH, MAX_JSON_NAME_LENGTH, MAX_JSON_NUMBER_LENGTH, place(parser)),
          true,
          e);
    } catch (JacksonException e) {
      throw new JsonException("not JSON, " + place(parser), false, e);
    }
  }

  private static String place(JsonParser parser) {
    return "column " + parser.currentLocation().getColumnNr();
  }

  private static @Nullable Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> {
        Number number = parser.getNumberValue();
        yield number instanceof Integer ? (Object) number.longValue() : number;
      }
      // Not a double: digits that a connector is to deliver must stay as they are.
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      map.put(key, value(parser));
    }
    return map;
  }

  private static List<@Nullable Object> array(JsonParser parser) {
    List<@Nullable Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return list;
  }
}
