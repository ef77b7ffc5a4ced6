package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object to look into. */
record Json(Map<?, ?> map) {

  static Json of(String text) {
    try {
      return of(JsonReader.read(text));
    } catch (JsonReader.JsonException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  static Json of(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return new Json(map);
    }
    throw new AssertionError("no JSON object: " + value);
  }

  @Nullable Object get(String key) {
    return map.get(key);
  }

  @Nullable Object at(String first, String... more) {
    Object value = map.get(first);
    for (String key : more) {
      value = of(value).get(key);
    }
    return value;
  }

  Json object(String key) {
    return of(map.get(key));
  }

  List<Json> list(String key) {
    if (map.get(key) instanceof List<?> list) {
      return list.stream().map(Json::of).toList();
    }
    throw new AssertionError("no list '" + key + "': " + this);
  }

  List<String> keys() {
    return map.keySet().stream().map(String::valueOf).toList();
  }

  /** The document in the text of a tool's result. */
  Json text() {
    List<Json> content = list("content");
    assertThat(content).hasSize(1);
    assertThat(content.getFirst().get("type")).isEqualTo("text");
    return of(String.valueOf(content.getFirst().get("text")));
  }

  @Override
  public String toString() {
    return new JsonWriter().any(map).toString();
  }
}
