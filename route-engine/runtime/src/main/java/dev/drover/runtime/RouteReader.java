package dev.drover.runtime;

import dev.drover.runtime.TransformReader.Middlewares;
import dev.drover.spi.Connector;
import dev.drover.spi.Connector.SinkType;
import dev.drover.spi.Connector.SourceType;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a route from its JSON form: {@code {"input": {CONNECTOR: {…}}, "output": {CONNECTOR: {…}},
 * …}} with the options of {@link RouteOptions}, {@code "retry": {…}} as {@link RetryPolicy} has
 * them, {@code "dead_letter": {CONNECTOR: {…}}} and {@code "transforms": [{KIND: {…}}]}.
 * Thread-safe.
 */
public final class RouteReader {

  /** Other names of options, for those who know them from other tools. */
  private static final Map<String, String> ALIASES =
      Map.of(
          "batch_size", "max_batch_rows",
          "initial_interval_ms", "initial_backoff_ms",
          "max_interval_ms", "max_backoff_ms");

  private static final List<String> PARTS =
      List.of("input", "transforms", "output", "dead_letter", "retry");

  private final Connectors connectors;
  private final WriteMode writeMode;

  /** Values from outside the route that win over those in it; null: the route decides. */
  public record Overrides(@Nullable Integer maxBatchRows, @Nullable Integer concurrency) {
    public static final Overrides NONE = new Overrides(null, null);
  }

  /**
   * @param writeMode the write mode of runs that end by themselves, unless a route says otherwise
   */
  public RouteReader(Connectors connectors, WriteMode writeMode) {
    this.connectors = connectors;
    this.writeMode = writeMode;
  }

  /** The keys that a route may have, aliases not among them. */
  private static List<String> keys() {
    List<String> keys = new ArrayList<>(PARTS);
    keys.addAll(ConfigBinder.options(RouteOptions.class).keySet());
    return keys;
  }

  /**
   * @param route JSON as maps, lists, strings, numbers and booleans
   * @param pathPrefix JSON pointer of the route, put before the paths of problems
   * @throws SpecException with everything that is wrong
   */
  public RouteSpec read(
      Map<?, ?> route, @Nullable String name, Overrides overrides, String pathPrefix) {
    List<Problem> problems = new ArrayList<>();
    ConfigBinder binder = new ConfigBinder(problems);
    List<String> known = keys();
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : route.entrySet()) {
      String key = String.valueOf(entry.getKey());
      String plain = ALIASES.getOrDefault(key, key);
      if (!known.contains(plain)) {
        binder.unknown(ErrorCode.UNKNOWN_OPTION, "option", key, known, pathPrefix);
      } else if (!PARTS.contains(plain)) {
        options.put(plain, entry.getValue());
      }
    }
    if (overrides.maxBatchRows() != null) {
      options.put("max_batch_rows", overrides.maxBatchRows());
    }
    if (overrides.concurrency() != null) {
      options.put("concurrency", overrides.concurrency());
    }
    EndpointSpec<?> source = endpoint(route.get("input"), true, binder, pathPrefix + "/input");
    TransformReader reader = new TransformReader(binder);
    Middlewares before = reader.middlewares(route.get("input"), true, pathPrefix + "/input");
    List<TransformSpec> transforms = new ArrayList<>(before.transforms());
    transforms.addAll(reader.read(route.get("transforms"), pathPrefix + "/transforms"));
    Middlewares after = reader.middlewares(route.get("output"), false, pathPrefix + "/output");
    transforms.addAll(after.transforms());
    EndpointSpec<?> sink = endpoint(route.get("output"), false, binder, pathPrefix + "/output");
    Object retryOptions = oneOf(route.get("retry"), after.retry(), "retry", problems, pathPrefix);
    Object letterEndpoint =
        oneOf(route.get("dead_letter"), after.deadLetter(), "dead_letter", problems, pathPrefix);
    if (after.deadLetter() != null) {
      options.putIfAbsent("on_reject", "dead_letter");
    }
    RouteOptions bound = binder.bind(RouteOptions.class, options, pathPrefix);
    if (route.containsKey("batch_size")) {
      problems.replaceAll(problem -> asWritten(problem, pathPrefix));
    }
    RetryPolicy retry = retry(retryOptions, binder, pathPrefix + "/retry");
    EndpointSpec<?> letters =
        bound == null ? null : deadLetter(letterEndpoint, bound, binder, pathPrefix);
    if (source == null || sink == null || bound == null || retry == null || !problems.isEmpty()) {
      throw new SpecException(problems);
    }
    return new RouteSpec(name, source, transforms, sink, letters, bound, retry, writeMode, 0);
  }

  /** What the route says, or else a middleware of its output; not both. */
  private static @Nullable Object oneOf(
      @Nullable Object ofRoute,
      @Nullable Object ofMiddleware,
      String name,
      List<Problem> problems,
      String pathPrefix) {
    if (ofRoute != null && ofMiddleware != null) {
      problems.add(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              pathPrefix + "/" + name,
              "'%s' is also given as a middleware of the output".formatted(name),
              "leave out one of them"));
    }
    return ofRoute != null ? ofRoute : ofMiddleware;
  }

  /** A problem of an option, under the name that the route gives it. */
  private static Problem asWritten(Problem problem, String pathPrefix) {
    return problem.path().equals(pathPrefix + "/max_batch_rows")
        ? new Problem(
            problem.code(),
            pathPrefix + "/batch_size",
            problem.message().replace("'max_batch_rows'", "'batch_size'"),
            problem.suggestion(),
            problem.allowed())
        : problem;
  }

  private static @Nullable RetryPolicy retry(
      @Nullable Object value, ConfigBinder binder, String path) {
    if (value != null && !(value instanceof Map<?, ?>)) {
      binder
          .problems()
          .add(
              new Problem(
                  ErrorCode.INVALID_ARGUMENT,
                  path,
                  "'retry' must be an object, not " + ConfigBinder.cut(value.toString()),
                  "write \"retry\": {\"max_attempts\": 5}"));
      return null;
    }
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> given) {
      given.forEach(
          (key, option) ->
              options.put(ALIASES.getOrDefault(String.valueOf(key), String.valueOf(key)), option));
    }
    return binder.bind(RetryPolicy.class, options, path);
  }

  private @Nullable EndpointSpec<?> deadLetter(
      @Nullable Object value, RouteOptions options, ConfigBinder binder, String path) {
    boolean wanted = options.onReject() == OnReject.DEAD_LETTER;
    if (wanted && value == null) {
      binder
          .problems()
          .add(
              new Problem(
                  ErrorCode.MISSING_OPTION,
                  path + "/dead_letter",
                  "on_reject is dead_letter, and the route does not say where the rows go",
                  "write \"dead_letter\": {\"file\": {\"path\": \"rejected.jsonl\"}}"));
      return null;
    }
    if (!wanted && value != null) {
      binder
          .problems()
          .add(
              new Problem(
                  ErrorCode.INVALID_ARGUMENT,
                  path + "/dead_letter",
                  "nothing is sent to dead_letter while on_reject is "
                      + options.onReject().name().toLowerCase(Locale.ROOT),
                  "set on_reject to dead_letter"));
      return null;
    }
    return wanted ? endpoint(value, false, binder, path + "/dead_letter") : null;
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
    if (!(value instanceof Map<?, ?> map)
        || map.size() != (map.containsKey(TransformReader.MIDDLEWARES) ? 2 : 1)) {
      problems.add(oneConnector(source, path));
      return null;
    }
    Map.Entry<?, ?> entry = connectorOf(map);
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

  private static Map.Entry<?, ?> connectorOf(Map<?, ?> endpoint) {
    for (Map.Entry<?, ?> entry : endpoint.entrySet()) {
      if (!TransformReader.MIDDLEWARES.equals(entry.getKey())) {
        return entry;
      }
    }
    throw new IllegalStateException("an endpoint without a connector");
  }

  private Problem oneConnector(boolean source, String path) {
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
}
