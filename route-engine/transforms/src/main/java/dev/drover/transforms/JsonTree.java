package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/** Small documents of a route as maps, lists, text, numbers, booleans and null, and back. */
final class JsonTree {

  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonTree() {}

  /**
   * @param what names the document in the error
   * @throws DroverException invalid_argument with line and column, if it is no JSON
   */
  static @Nullable Object read(byte[] json, String what) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw wrong(what, parser, "there is more behind the document", null);
      }
      return value;
    } catch (JacksonException e) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "",
              "%s is no JSON: line %d, column %d: %s"
                  .formatted(
                      what,
                      e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                      e.getLocation() == null ? 1 : e.getLocation().getColumnNr(),
                      Shown.cut(String.valueOf(e.getOriginalMessage())))),
          e);
    }
  }

  static @Nullable Object read(String json, String what) {
    return read(json.getBytes(UTF_8), what);
  }

  private static DroverException wrong(
      String what, JsonParser parser, String why, @Nullable Throwable cause) {
    return new DroverException(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "",
            "%s is no JSON: line %d, column %d: %s"
                .formatted(
                    what,
                    parser.currentLocation().getLineNr(),
                    parser.currentLocation().getColumnNr(),
                    why)),
        cause);
  }

  private static @Nullable Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return null;
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String key = parser.currentName();
          parser.nextToken();
          map.put(key, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      // Digits stay as they are written.
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** A value as compact JSON. */
  static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(@Nullable Object value, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map -> {
        String before = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(before);
          text(String.valueOf(entry.getKey()), out);
          out.append(':');
          write(entry.getValue(), out);
          before = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case List<?> list -> {
        String before = "[";
        for (Object item : list) {
          out.append(before);
          write(item, out);
          before = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case BigDecimal number -> out.append(number);
      case Number number -> out.append(number);
      case Boolean bool -> out.append(bool);
      case null -> out.append("null");
      default -> text(value.toString(), out);
    }
  }

  private static void text(String text, StringBuilder out) {
    out.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, out);
    out.append('"');
  }
}
