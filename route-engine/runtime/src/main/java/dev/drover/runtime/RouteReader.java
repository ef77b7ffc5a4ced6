package dev.drover.runtime;

import dev.drover.spi.Connector;
import dev.drover.spi.Connector.SinkType;
import dev.drover.spi.Connector.SourceType;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a route from its JSON form: {@code {"input": {CONNECTOR: {…}}, "output": {CONNECTOR: {…}},
 * "exit_on_empty": …, "max_batch_rows": …, "concurrency": …}}. {@code batch_size} is another name
 * for {@code max_batch_rows}. Thread-safe.
 */
public final class RouteReader {

  private static final List<String> KEYS =
      List.of("input", "output", "exit_on_empty", "batch_size", "max_batch_rows", "concurrency");

  private final Connectors connectors;
  private final Map<String, String> optionDefaults;

  /** Values from outside the route that win over those in it; null: the route decides. */
  public record Overrides(@Nullable Integer maxBatchRows, @Nullable Integer concurrency) {
    public static final Overrides NONE = new Overrides(null, null);
  }

  /**
   * @param optionDefaults values for options of endpoints that the route does not give, by name,
   *     such as {@code write_mode}
   */
  public RouteReader(Connectors connectors, Map<String, String> optionDefaults) {
    this.connectors = connectors;
    this.optionDefaults = Map.copyOf(optionDefaults);
  }

  /**
   * @param route JSON as maps, lists, strings, numbers and booleans
   * @param pathPrefix JSON pointer of the route, put before the paths of problems
   * @throws SpecException with everything that is wrong
   */
  public RouteSpec read(
      Map<?, ?> route, @Nullable String name, Overrides overrides, String pathPrefix) {
    List<Problem> problems = new ArrayList<>();
    ConfigBinder binder = new ConfigBinder(optionDefaults, problems);
    for (Object key : route.keySet()) {
      if (!KEYS.contains(String.valueOf(key))) {
        binder.unknown(ErrorCode.UNKNOWN_OPTION, "option", key.toString(), KEYS, pathPrefix);
      }
    }
    EndpointSpec<?> source = endpoint(route.get("input"), true, binder, pathPrefix + "/input");
    EndpointSpec<?> sink = endpoint(route.get("output"), false, binder, pathPrefix + "/output");
    Boolean exitOnEmpty = flag(route, "exit_on_empty", pathPrefix, problems);
    Integer maxBatchRows = overrides.maxBatchRows();
    for (String key : List.of("max_batch_rows", "batch_size")) {
      Integer value = count(route, key, RouteSpec.MAX_BATCH_ROWS_LIMIT, pathPrefix, problems);
      maxBatchRows = maxBatchRows == null ? value : maxBatchRows;
    }
    Integer concurrency =
        count(route, "concurrency", RouteSpec.CONCURRENCY_LIMIT, pathPrefix, problems);
    if (overrides.concurrency() != null) {
      concurrency = overrides.concurrency();
    }
    if (source == null || sink == null || !problems.isEmpty()) {
      throw new SpecException(problems);
    }
    return new RouteSpec(
        name,
        source,
        sink,
        exitOnEmpty,
        maxBatchRows == null ? RouteSpec.DEFAULT_MAX_BATCH_ROWS : maxBatchRows,
        concurrency == null ? RouteSpec.defaultConcurrency() : concurrency,
        0);
  }

  private @Nullable EndpointSpec<?> endpoint(
      @Nullable Object value, boolean source, ConfigBinder binder, String path) {
    List<Problem> problems = binder.problems();
    if (value == null && source) {
      problems.add(
          new Problem(
              ErrorCode.MISSING_OPTION,
              path,
              "the route has no input",
              "write \"input\": {CONNECTOR: {…}}, for example {\"file\": {\"path\": \"a.csv\"}}",
              names(true)));
      return null;
    }
    if (value == null || (value instanceof Map<?, ?> map && map.isEmpty() && !source)) {
      value = Map.of("null", Map.of());
    }
    if (!(value instanceof Map<?, ?> map) || map.size() != 1) {
      problems.add(oneConnector(value, source, path));
      return null;
    }
    Map.Entry<?, ?> entry = map.entrySet().iterator().next();
    String name = String.valueOf(entry.getKey());
    Connector connector = connectors.find(name);
    if (connector == null) {
      binder.unknown(ErrorCode.UNKNOWN_CONNECTOR, "connector", name, names(source), path);
      return null;
    }
    String optionsPath = path + "/" + ConfigBinder.pointer(name);
    Class<? extends Record> type = configType(connector, source);
    if (type == null) {
      problems.add(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              optionsPath,
              "connector '%s' cannot be the %s of a route"
                  .formatted(name, source ? "input" : "output"),
              null,
              names(source)));
      return null;
    }
    return bind(connector, type, entry.getValue(), binder, optionsPath);
  }

  private static <C extends Record> @Nullable EndpointSpec<C> bind(
      Connector connector,
      Class<C> type,
      @Nullable Object value,
      ConfigBinder binder,
      String path) {
    Map<?, ?> options;
    if (value == null) {
      options = Map.of();
    } else if (value instanceof Map<?, ?> map) {
      options = map;
    } else {
      // A bare value is the first option: {"file": "a.csv"}, {"static": "hello"}.
      String first = ConfigBinder.options(type).keySet().stream().findFirst().orElse("");
      Map<String, Object> single = new LinkedHashMap<>();
      single.put(first, value);
      options = single;
    }
    C config = binder.bind(type, options, path);
    return config == null ? null : new EndpointSpec<>(connector, config);
  }

  private Problem oneConnector(@Nullable Object value, boolean source, String path) {
    if (value instanceof Map<?, ?> map && map.containsKey("middlewares")) {
      return new Problem(
          ErrorCode.NOT_SUPPORTED,
          path + "/middlewares",
          "this version has no middlewares",
          "leave the key out");
    }
    return new Problem(
        ErrorCode.INVALID_ARGUMENT,
        path,
        "an endpoint is an object with exactly one connector as its key",
        "write {CONNECTOR: {…}}, for example {\"file\": {\"path\": \"a.csv\"}}",
        names(source));
  }

  private List<String> names(boolean source) {
    return connectors.all().stream()
        .filter(connector -> configType(connector, source) != null)
        .map(Connector::name)
        .toList();
  }

  private static @Nullable Class<? extends Record> configType(Connector connector, boolean source) {
    if (source) {
      SourceType<?> type = connector.source();
      return type == null ? null : type.config();
    }
    SinkType<?> type = connector.sink();
    return type == null ? null : type.config();
  }

  private static @Nullable Boolean flag(
      Map<?, ?> route, String key, String path, List<Problem> problems) {
    Object value = route.get(key);
    if (value == null || value instanceof Boolean) {
      return (Boolean) value;
    }
    String text = value.toString();
    if (!text.equals("true") && !text.equals("false")) {
      problems.add(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              path + "/" + key,
              "'%s' must be true or false, not %s".formatted(key, ConfigBinder.cut(text))));
      return null;
    }
    return text.equals("true");
  }

  private static @Nullable Integer count(
      Map<?, ?> route, String key, int max, String path, List<Problem> problems) {
    Object value = route.get(key);
    if (value == null) {
      return null;
    }
    Long number = ConfigBinder.integer(value);
    if (number == null || number < 1 || number > max) {
      problems.add(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              path + "/" + key,
              "'%s' must be a whole number from 1 to %d, not %s"
                  .formatted(key, max, ConfigBinder.cut(value.toString()))));
      return null;
    }
    return number.intValue();
  }
}
