package dev.drover.mcp;

import dev.drover.runtime.SpecException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Nearest;
import dev.drover.spi.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call, read as their declarations say. They may arrive sloppy: an object as
 * JSON text, a number or flag as text, null for absent. What is wrong is kept until {@link #check}.
 */
final class Arguments {

  private static final int VALUE_SHOWN = 40;

  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<Problem> problems = new ArrayList<>();

  /**
   * @param given what the client sent as {@code arguments}
   */
  Arguments(List<Parameter> parameters, @Nullable Object given) {
    Object object = given instanceof String text ? parse(text) : given;
    if (object == null) {
      object = Map.of();
    }
    if (object instanceof Map<?, ?> map) {
      read(parameters, map);
    } else {
      problems.add(
          new Problem(ErrorCode.INVALID_ARGUMENT, "", "the arguments must be one JSON object"));
    }
  }

  private void read(List<Parameter> parameters, Map<?, ?> given) {
    for (Map.Entry<?, ?> entry : given.entrySet()) {
      String key = String.valueOf(entry.getKey());
      Parameter parameter = find(parameters, key);
      if (parameter == null) {
        problems.add(unknown(key, parameters));
      } else if (entry.getValue() != null) {
        Object value = convert(parameter, key, entry.getValue());
        if (value != null) {
          values.putIfAbsent(parameter.name(), value);
        }
      }
    }
    for (Parameter parameter : parameters) {
      if (parameter.required() && isAbsent(given, parameter)) {
        problems.add(
            new Problem(
                ErrorCode.MISSING_OPTION,
                "/" + parameter.name(),
                "argument '%s' is required%s"
                    .formatted(
                        parameter.name(),
                        parameter.description().isEmpty() ? "" : ": " + parameter.description())));
      }
    }
  }

  private static boolean isAbsent(Map<?, ?> given, Parameter parameter) {
    return given.get(parameter.name()) == null
        && parameter.aliases().stream().allMatch(alias -> given.get(alias) == null);
  }

  private static @Nullable Parameter find(List<Parameter> parameters, String key) {
    for (Parameter parameter : parameters) {
      if (parameter.called(key)) {
        return parameter;
      }
    }
    return null;
  }

  private static Problem unknown(String key, List<Parameter> parameters) {
    List<String> names = parameters.stream().map(Parameter::name).toList();
    String nearest = nearest(key, names);
    return new Problem(
        ErrorCode.UNKNOWN_OPTION,
        "/" + cut(key).replace("~", "~0").replace("/", "~1"),
        "there is no argument '%s'".formatted(cut(key)),
        nearest == null ? null : "did you mean '%s'?".formatted(nearest),
        names);
  }

  private @Nullable Object convert(Parameter parameter, String key, Object value) {
    return switch (parameter.kind()) {
      case TEXT -> text(parameter, key, value);
      case INTEGER -> integer(parameter, key, value);
      case FLAG -> flag(key, value);
      case OBJECT -> object(key, value);
      case NUMBER, LIST, ANY ->
          throw new IllegalStateException("no argument is a " + parameter.kind());
    };
  }

  private @Nullable Object text(Parameter parameter, String key, Object value) {
    if (value instanceof Map<?, ?> || value instanceof List<?>) {
      return wrong(key, "must be text, not %s".formatted(shape(value)), null, List.of());
    }
    String text = value.toString();
    if (parameter.max() > 0
        && (text.length() > parameter.max() || text.isBlank() || hasControl(text))) {
      return wrong(
          key,
          "must be 1 to %d characters without control characters, not '%s'"
              .formatted(parameter.max(), cut(text)),
          null,
          List.of());
    }
    if (!parameter.allowed().isEmpty() && !parameter.allowed().contains(text)) {
      String nearest = nearest(text, parameter.allowed());
      return wrong(
          key,
          "must be one of %s, not '%s'"
              .formatted(String.join(", ", parameter.allowed()), cut(text)),
          nearest == null ? null : "did you mean '%s'?".formatted(nearest),
          parameter.allowed());
    }
    return text;
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  private @Nullable Object integer(Parameter parameter, String key, Object value) {
    Long number = null;
    if (value instanceof Long whole) {
      number = whole;
    } else if (value instanceof Number || value instanceof String) {
      double real = real(value.toString().strip());
      number = real == Math.rint(real) && Math.abs(real) < 1L << 53 ? (Long) (long) real : null;
    }
    if (number == null || number < parameter.min() || number > parameter.max()) {
      return wrong(
          key,
          "must be a whole number from %d to %d, not %s"
              .formatted(parameter.min(), parameter.max(), cut(String.valueOf(value))),
          null,
          List.of());
    }
    return number;
  }

  private static double real(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private @Nullable Object flag(String key, Object value) {
    return switch (value.toString()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          wrong(
              key,
              "must be true or false, not %s".formatted(cut(value.toString())),
              null,
              List.of("true", "false"));
    };
  }

  private @Nullable Object object(String key, Object value) {
    Object object = value instanceof String text ? parse(text) : value;
    return object instanceof Map<?, ?>
        ? object
        : wrong(key, "must be a JSON object, not %s".formatted(shape(value)), null, List.of());
  }

  private static @Nullable Object parse(String text) {
    try {
      return JsonReader.read(text);
    } catch (JsonReader.JsonException e) {
      return text;
    }
  }

  private @Nullable Object wrong(
      String key, String text, @Nullable String suggestion, List<String> allowed) {
    problems.add(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "/" + key,
            "'%s' %s".formatted(key, text),
            suggestion,
            allowed));
    return null;
  }

  private static String shape(Object value) {
    return switch (value) {
      case Map<?, ?> map -> "an object";
      case List<?> list -> "a list";
      default -> cut(value.toString());
    };
  }

  /** The start of a text that somebody else wrote. */
  static String cut(String value) {
    return value.length() <= VALUE_SHOWN ? value : value.substring(0, VALUE_SHOWN) + "…";
  }

  /** What may have been meant; the text may be of any length. */
  static @Nullable String nearest(String text, List<String> known) {
    return text.length() > VALUE_SHOWN ? null : Nearest.match(text, known);
  }

  /** What is wrong so far; may be added to. */
  List<Problem> problems() {
    return problems;
  }

  /**
   * @throws SpecException if anything is wrong
   */
  void check() {
    if (!problems.isEmpty()) {
      throw new SpecException(problems);
    }
  }

  @Nullable String text(String name) {
    return (String) values.get(name);
  }

  long integer(String name, long otherwise) {
    return values.get(name) instanceof Long number ? number : otherwise;
  }

  @Nullable Integer count(String name) {
    return values.get(name) instanceof Long number ? (Integer) number.intValue() : null;
  }

  @Nullable Boolean flag(String name) {
    return (Boolean) values.get(name);
  }

  @Nullable Map<?, ?> object(String name) {
    return (Map<?, ?>) values.get(name);
  }
}
