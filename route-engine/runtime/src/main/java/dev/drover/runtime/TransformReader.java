package dev.drover.runtime;

import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.transforms.TransformType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the transforms of a route: the list {@code transforms}, and {@code middlewares} beside an
 * endpoint's connector, which other tools have. A middleware acts on what those behind it in the
 * list have left, so such a list is turned round.
 */
final class TransformReader {

  static final String MIDDLEWARES = "middlewares";

  private static final String RETRY = "retry";
  private static final String DEAD_LETTER = "dlq";

  private final ConfigBinder binder;

  TransformReader(ConfigBinder binder) {
    this.binder = binder;
  }

  /** The names of all kinds. */
  static List<String> names() {
    return TransformType.all().stream().map(TransformType::name).toList();
  }

  /**
   * @param value null: none
   */
  List<TransformSpec> read(@Nullable Object value, String path) {
    List<TransformSpec> transforms = new ArrayList<>();
    if (value == null) {
      return transforms;
    }
    List<?> list = value instanceof Map<?, ?> single ? List.of(single) : null;
    list = value instanceof List<?> given ? given : list;
    if (list == null) {
      binder.problems().add(noTransform(path, value));
      return transforms;
    }
    for (int i = 0; i < list.size(); i++) {
      TransformSpec transform = transform(list.get(i), path + "/" + i);
      if (transform != null) {
        transforms.add(transform);
      }
    }
    return transforms;
  }

  private static Problem noTransform(String path, @Nullable Object value) {
    return new Problem(
        ErrorCode.INVALID_ARGUMENT,
        path,
        "a transform is an object with exactly one kind as its key, not "
            + ConfigBinder.cut(String.valueOf(value)),
        "write [{\"filter\": \"amount > 10\"}, {\"select\": {\"keep\": [\"id\"]}}]",
        names());
  }

  private @Nullable TransformSpec transform(@Nullable Object value, String path) {
    if (value instanceof String name && names().contains(name)) {
      return transform(Map.of(name, Map.of()), path);
    }
    if (!(value instanceof Map<?, ?> map) || map.size() != 1) {
      binder.problems().add(noTransform(path, value));
      return null;
    }
    Map.Entry<?, ?> entry = map.entrySet().iterator().next();
    String name = String.valueOf(entry.getKey());
    for (TransformType<?> type : TransformType.all()) {
      if (type.name().equals(name)) {
        String at = path + "/" + name;
        Record config = binder.bind(type.config(), options(type, entry.getValue()), at);
        return config == null ? null : new TransformSpec(type, config, at);
      }
    }
    binder.unknown(ErrorCode.INVALID_ARGUMENT, "transform", name, names(), path);
    return null;
  }

  /** A bare value is the first option: {@code {"filter": "a > 1"}}. */
  private static Map<?, ?> options(TransformType<?> type, @Nullable Object value) {
    if (value instanceof Map<?, ?> map && !type.whole()) {
      return map;
    }
    if (value == null) {
      return Map.of();
    }
    String first = ConfigBinder.options(type.config()).keySet().iterator().next();
    Map<String, Object> options = new LinkedHashMap<>();
    options.put(first, value);
    return options;
  }

  /**
   * What the middlewares of one endpoint are for the route.
   *
   * @param retry options of a retry policy; null: none
   * @param deadLetter an endpoint; null: none
   */
  record Middlewares(
      List<TransformSpec> transforms, @Nullable Object retry, @Nullable Object deadLetter) {
    static final Middlewares NONE = new Middlewares(List.of(), null, null);
  }

  /**
   * @param endpoint an endpoint as the route has it
   * @param path JSON pointer of the endpoint
   */
  Middlewares middlewares(@Nullable Object endpoint, boolean source, String path) {
    if (!(endpoint instanceof Map<?, ?> map) || map.get(MIDDLEWARES) == null) {
      return Middlewares.NONE;
    }
    String at = path + "/" + MIDDLEWARES;
    if (!(map.get(MIDDLEWARES) instanceof List<?> list)) {
      binder
          .problems()
          .add(
              new Problem(
                  ErrorCode.INVALID_ARGUMENT,
                  at,
                  "'middlewares' must be a list",
                  "write [{\"filter\": {\"expression\": \"amount > 10\"}}]"));
      return Middlewares.NONE;
    }
    List<TransformSpec> transforms = new ArrayList<>();
    Object retry = null;
    Object deadLetter = null;
    for (int i = list.size() - 1; i >= 0; i--) {
      String name = list.get(i) instanceof Map<?, ?> one && one.size() == 1 ? key(one) : "";
      boolean forSink = name.equals(RETRY) || name.equals(DEAD_LETTER);
      if (forSink && source) {
        binder
            .problems()
            .add(
                new Problem(
                    ErrorCode.INVALID_ARGUMENT,
                    at + "/" + i + "/" + name,
                    "'%s' is about writing, so it stands beside the output".formatted(name),
                    "move it to the output's middlewares"));
      } else if (name.equals(RETRY)) {
        retry = ((Map<?, ?>) list.get(i)).get(name);
      } else if (name.equals(DEAD_LETTER)) {
        Object value = ((Map<?, ?>) list.get(i)).get(name);
        deadLetter = value instanceof Map<?, ?> dlq ? dlq.get("endpoint") : null;
        if (deadLetter == null) {
          binder
              .problems()
              .add(
                  new Problem(
                      ErrorCode.MISSING_OPTION,
                      at + "/" + i + "/" + name + "/endpoint",
                      "option 'endpoint' is required: where refused rows go",
                      "write {\"dlq\": {\"endpoint\": {\"file\": {\"path\": \"rejected.jsonl\"}}}}"));
        }
      } else {
        TransformSpec transform = middleware(list.get(i), name, at + "/" + i);
        if (transform != null) {
          transforms.add(transform);
        }
      }
    }
    return new Middlewares(transforms, retry, deadLetter);
  }

  private @Nullable TransformSpec middleware(@Nullable Object value, String name, String path) {
    if (!name.isEmpty() && !names().contains(name)) {
      List<String> known = new ArrayList<>(names());
      known.add(RETRY);
      known.add(DEAD_LETTER);
      binder
          .problems()
          .add(
              new Problem(
                  ErrorCode.NOT_SUPPORTED,
                  path + "/" + ConfigBinder.pointer(name),
                  "there is no middleware '%s' here".formatted(ConfigBinder.cut(name)),
                  "leave it out; there are " + String.join(", ", known),
                  known));
      return null;
    }
    return transform(value, path);
  }

  private static String key(Map<?, ?> map) {
    return String.valueOf(map.keySet().iterator().next());
  }
}
