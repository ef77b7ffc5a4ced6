package dev.drover.testkit;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.IfExists;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunStatus;
import dev.drover.spi.Access;
import dev.drover.spi.Connector;
import dev.drover.spi.WriteMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs routes in an engine that overwrites memory as soon as it is given back. */
public final class TestRuns implements AutoCloseable {

  /** Far more than any run of a test takes; a run that is not done by then hangs. */
  public static final Duration LONG = Duration.ofSeconds(60);

  private final RouteReader reader;
  private final Engine engine;

  /** An engine with these connectors and those of the test kit, and checkpoints in memory. */
  public TestRuns(Connector... connectors) {
    this(
        FileAccess.unfenced(),
        Engine.Settings.NONE.overwriting().withCheckpoints(new MemoryStore(), ""),
        connectors);
  }

  /**
   * An engine of a given kind. Connectors of the test kit are added where none of their name is
   * given.
   */
  public TestRuns(Access access, Engine.Settings settings, Connector... connectors) {
    Map<String, Connector> all = new LinkedHashMap<>();
    for (Connector connector : connectors) {
      all.put(connector.name(), connector);
    }
    for (Connector ours : List.of(new RowsConnector(), new CollectConnector())) {
      all.putIfAbsent(ours.name(), ours);
    }
    Connectors known = new Connectors(all.values());
    reader = new RouteReader(known, WriteMode.CREATE);
    engine = new Engine(known, access, settings);
  }

  /**
   * Starts a route; {@code options} such as {@code max_batch_rows} come as key, value, ….
   *
   * @throws dev.drover.runtime.SpecException if it cannot run
   */
  public Run start(Map<String, ?> input, Map<String, ?> output, Object... options) {
    Map<String, @Nullable Object> route = new LinkedHashMap<>();
    route.put("input", input);
    route.put("output", output);
    for (int i = 0; i < options.length; i += 2) {
      route.put((String) options[i], options[i + 1]);
    }
    return engine.start(reader.read(route, null, RouteReader.Overrides.NONE, ""), IfExists.ERROR);
  }

  /** Starts a route and waits for its end. */
  public RunStatus run(Map<String, ?> input, Map<String, ?> output, Object... options) {
    return await(start(input, output, options));
  }

  /** Waits for the end of a run. */
  public static RunStatus await(Run run) {
    try {
      if (!run.await(LONG)) {
        throw new AssertionError("the run does not end: " + run.status());
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return run.status();
  }

  public Engine engine() {
    return engine;
  }

  /** An endpoint for {@link RowsConnector}. */
  public static Map<String, ?> rows(
      List<String> fields,
      List<? extends List<? extends @Nullable String>> rows,
      RowsConnector.Then then) {
    return Map.of(
        "rows",
        Map.of(
            "rows",
            rows,
            "fields",
            fields,
            "then",
            then.name().toLowerCase(java.util.Locale.ROOT)));
  }

  /** An endpoint for {@link CollectConnector}. */
  public static Map<String, ?> collect(CollectConnector.Collected into) {
    return Map.of("collect", Map.of("into", into));
  }

  @Override
  public void close() {
    engine.close();
  }
}
