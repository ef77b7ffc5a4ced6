package dev.drover.runtime;

import dev.drover.spi.ErrorCode;
import dev.drover.spi.Nearest;
import dev.drover.spi.Option;
import dev.drover.spi.Problem;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Binds JSON options to a connector's annotated record, as {@link Option} says. Values may arrive
 * sloppy: a number or boolean as a string, null for absent. Everything wrong is reported at once.
 */
final class ConfigBinder {

  private static final int ALLOWED_SHOWN = 12;
  private static final int VALUE_SHOWN = 40;
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, long.class, Integer.class, Long.class);

  private final List<Problem> problems;

  /**
   * @param problems takes what is found
   */
  ConfigBinder(List<Problem> problems) {
    this.problems = problems;
  }

  /** What was found so far; may be added to. */
  List<Problem> problems() {
    return problems;
  }

  /** The options of a configuration record by name, those of nested records included. */
  static Map<String, RecordComponent> options(Class<? extends Record> type) {
    Map<String, RecordComponent> options = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isRecord()) {
        options.putAll(options(component.getType().asSubclass(Record.class)));
      } else {
        options.put(snakeCase(component.getName()), component);
      }
    }
    return options;
  }

  /**
   * @param path JSON pointer of the options
   * @return null if a problem was found
   */
  <C extends Record> @Nullable C bind(Class<C> type, Map<?, ?> given, String path) {
    int before = problems.size();
    Map<String, RecordComponent> options = options(type);
    for (Object key : given.keySet()) {
      String name = String.valueOf(key);
      if (!options.containsKey(name)) {
        unknown(ErrorCode.UNKNOWN_OPTION, "option", name, options.keySet(), path);
      }
    }
    @Nullable C config = create(type, given, path);
    return problems.size() == before ? config : null;
  }

  /** Takes an option and its value. */
  interface Visitor {
    void visit(String name, Option option, Object value);
  }

  /** Visits the options of a bound record that have a value, those of nested records included. */
  static void values(Record config, Visitor visitor) {
    for (RecordComponent component : config.getClass().getRecordComponents()) {
      Object value;
      try {
        component.getAccessor().setAccessible(true);
        value = component.getAccessor().invoke(config);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("cannot read " + component, e);
      }
      Option option = component.getAnnotation(Option.class);
      if (value instanceof Record nested) {
        values(nested, visitor);
      } else if (value != null && option != null) {
        visitor.visit(snakeCase(component.getName()), option, value);
      }
    }
  }

  /** Reports a name that is not among the known ones, with the nearest. */
  void unknown(ErrorCode code, String what, String name, Collection<String> known, String path) {
    String nearest = Nearest.match(name, known);
    problems.add(
        new Problem(
            code,
            path + "/" + pointer(name),
            "there is no %s '%s'".formatted(what, cut(name)),
            nearest == null ? null : "did you mean '" + nearest + "'?",
            known.stream().limit(ALLOWED_SHOWN).toList()));
  }

  private <C extends Record> @Nullable C create(Class<C> type, Map<?, ?> given, String path) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    int before = problems.size();
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      values[i] =
          component.getType().isRecord()
              ? create(component.getType().asSubclass(Record.class), given, path)
              : value(component, given, path);
    }
    if (problems.size() > before) {
      return null;
    }
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      String text = String.valueOf(e.getTargetException().getMessage());
      problems.add(new Problem(ErrorCode.INVALID_ARGUMENT, path, text));
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create " + type, e);
    }
  }

  private @Nullable Object value(RecordComponent component, Map<?, ?> given, String path) {
    Option option = component.getAnnotation(Option.class);
    if (option == null) {
      throw new IllegalStateException(component + " has no @Option");
    }
    String name = snakeCase(component.getName());
    Object raw = given.get(name);
    if (raw == null) {
      String standard = option.defaultValue();
      if (!standard.isEmpty()) {
        raw = standard;
      } else if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        return null;
      } else {
        problems.add(
            new Problem(
                ErrorCode.MISSING_OPTION,
                path + "/" + name,
                "option '%s' is required: %s".formatted(name, option.value())));
        return null;
      }
    }
    return convert(component, option, raw, path + "/" + name, name);
  }

  private @Nullable Object convert(
      RecordComponent component, Option option, Object raw, String path, String name) {
    Class<?> type = component.getType();
    if (type == Object.class) {
      return raw;
    } else if (type == String.class) {
      if (raw instanceof Map<?, ?> || raw instanceof List<?>) {
        return wrong(path, name, "text", raw, List.of());
      }
      String text = raw.toString();
      List<String> allowed = List.of(option.allowed());
      return allowed.isEmpty() || allowed.contains(text)
          ? text
          : wrong(path, name, "one of " + String.join(", ", allowed), raw, allowed);
    } else if (type == boolean.class || type == Boolean.class) {
      return switch (raw.toString()) {
        case "true" -> true;
        case "false" -> false;
        default -> wrong(path, name, "true or false", raw, List.of("true", "false"));
      };
    } else if (WHOLE.contains(type)) {
      return number(type, option, raw, path, name);
    } else if (type == double.class || type == Double.class) {
      return decimal(option, raw, path, name);
    } else if (type.isEnum()) {
      return constant(type, raw, path, name);
    } else if (type == List.class && isListOfStrings(component)) {
      // One text may list several: that is how a URI has it.
      return raw instanceof List<?> list
          ? list.stream().map(String::valueOf).toList()
          : List.of(raw.toString().split(",", -1));
    }
    throw new IllegalStateException("an option cannot be a " + type);
  }

  private static boolean isListOfStrings(RecordComponent component) {
    return component.getGenericType() instanceof ParameterizedType type
        && type.getActualTypeArguments()[0] == String.class;
  }

  private @Nullable Object number(
      Class<?> type, Option option, Object raw, String path, String name) {
    boolean small = type == int.class || type == Integer.class;
    long max = small ? Math.min(option.max(), Integer.MAX_VALUE) : option.max();
    Long value = integer(raw);
    if (value == null || value < option.min() || value > max) {
      String wanted =
          max == Long.MAX_VALUE
              ? "a whole number from %d".formatted(option.min())
              : "a whole number from %d to %d".formatted(option.min(), max);
      return wrong(path, name, wanted, raw, List.of());
    }
    if (small) {
      return value.intValue();
    }
    return value;
  }

  private @Nullable Object decimal(Option option, Object raw, String path, String name) {
    Double value = null;
    try {
      value = raw instanceof Number number ? number.doubleValue() : Double.valueOf(raw.toString());
    } catch (NumberFormatException e) {
      // Told below, as a number that is out of bounds is.
    }
    if (value == null || !(value >= option.min() && value <= option.max())) {
      return wrong(
          path,
          name,
          "a number from %d to %d".formatted(option.min(), option.max()),
          raw,
          List.of());
    }
    return value;
  }

  /** The whole number that a JSON value or its text stands for; null if it is none. */
  static @Nullable Long integer(Object raw) {
    if (raw instanceof Integer || raw instanceof Long) {
      return ((Number) raw).longValue();
    }
    if (raw instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())) {
      return Math.abs(number.doubleValue()) < 1L << 53 ? number.longValue() : null;
    }
    if (raw instanceof String text) {
      try {
        return Long.parseLong(text.strip());
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return null;
  }

  private @Nullable Object constant(Class<?> type, Object raw, String path, String name) {
    List<String> names = new ArrayList<>();
    for (Object constant : type.getEnumConstants()) {
      String wire = ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
      if (wire.equals(raw)) {
        return constant;
      }
      names.add(wire);
    }
    return wrong(path, name, "one of " + String.join(", ", names), raw, names);
  }

  private @Nullable Object wrong(
      String path, String name, String wanted, Object raw, List<String> allowed) {
    String nearest = Nearest.match(raw.toString(), allowed);
    problems.add(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            path,
            "'%s' must be %s, not %s".formatted(name, wanted, cut(raw.toString())),
            nearest == null ? null : "did you mean '" + nearest + "'?",
            allowed));
    return null;
  }

  static String snakeCase(String camelCase) {
    StringBuilder snake = new StringBuilder();
    for (int i = 0; i < camelCase.length(); i++) {
      char c = camelCase.charAt(i);
      if (Character.isUpperCase(c)) {
        snake.append('_');
      }
      snake.append(Character.toLowerCase(c));
    }
    return snake.toString();
  }

  static String cut(String value) {
    return value.length() <= VALUE_SHOWN ? value : value.substring(0, VALUE_SHOWN) + "…";
  }

  /** A key as a step of a JSON pointer. */
  static String pointer(String key) {
    return cut(key).replace("~", "~0").replace("/", "~1");
  }
}
