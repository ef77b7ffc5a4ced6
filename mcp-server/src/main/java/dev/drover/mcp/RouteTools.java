package dev.drover.mcp;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.IfExists;
import dev.drover.runtime.RouteOptions;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.RouteReader.Overrides;
import dev.drover.runtime.RouteSpec;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StopMode;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tools that start, watch and stop routes. */
final class RouteTools {

  /** How long {@code wait_route} waits unless told; clients give up on a call after a minute. */
  static final long DEFAULT_WAIT_MS = 45_000;

  /** The longest wait that may be asked for. */
  static final long MAX_WAIT_MS = 600_000;

  /** The most characters of a route's name. */
  static final int MAX_NAME_LENGTH = 128;

  /** How many routes a status without a name lists: the latest. */
  static final int MAX_LISTED_ROUTES = 25;

  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

  private final Engine engine;
  private final Connectors connectors;
  private final RouteReader routes;
  private final List<Path> roots;
  private final BuildInfo build;
  private final Journal journal;

  /**
   * @param roots the folders that routes may use, to be shown
   * @param journal remembers runs beyond the server's end
   */
  RouteTools(
      Engine engine, Connectors connectors, List<Path> roots, BuildInfo build, Journal journal) {
    this.engine = engine;
    this.journal = journal;
    this.connectors = connectors;
    this.routes = new RouteReader(connectors, WriteMode.CREATE);
    this.roots = roots;
    this.build = build;
  }

  /** All tools, always in this order. */
  List<Tool> all() {
    return List.of(startRoute(), routeStatus(), waitRoute(), stopRoute(), serverInfo());
  }

  private Tool startRoute() {
    String endpoint =
        "{CONNECTOR:{options}}, connectors: " + String.join(", ", connectorNames()) + ". ";
    return new Tool(
        "start_route",
        "Start a route",
        """
        Moves rows from one system to another in the background and returns at once; the rows never \
        pass through you. Example: {"name":"copy1","route":{"input":{"file":{"path":"in.csv"}},\
        "output":{"file":{"path":"out.jsonl"}}}} writes CSV rows as JSON lines. An existing file is \
        refused unless the output says "write_mode":"replace". Then call wait_route. \
        The name is the handle; the last 100 ended routes stay readable until the server ends.""",
        List.of(
            Parameter.object(
                    "route",
                    "",
                    Parameter.object("input", endpoint + "E.g. {\"file\":{\"path\":\"in.csv\"}}")
                        .mandatory(),
                    Parameter.object(
                            "output",
                            "As input. E.g. {\"file\":{\"path\":\"out.jsonl\",\"write_mode\":"
                                + "\"replace\"}}")
                        .mandatory(),
                    Parameter.list(
                        "transforms",
                        "In order, kinds: cast infer select filter set explode flatten. E.g. "
                            + "[{\"infer\":{}},{\"filter\":\"amount > 10\"},"
                            + "{\"select\":{\"keep\":[\"id\",\"a.b\"]}}]"),
                    Parameter.flag(
                        "exit_on_empty", "End when the input has no more rows; false: follow it"),
                    Parameter.flag(
                        "resume", "Keep a checkpoint; go on where an interrupted run ended"),
                    Parameter.flag("durable", "Started again by the next server if this one ends"),
                    Parameter.choice(
                        "on_reject",
                        "Bad rows fail the route unless told otherwise",
                        "fail",
                        "skip",
                        "dead_letter"),
                    Parameter.object("dead_letter", "Where bad rows go, as output"))
                .mandatory(),
            Parameter.text("name", "Made up if absent").atMost(MAX_NAME_LENGTH),
            Parameter.integer(
                    "batch_size",
                    1,
                    RouteOptions.MAX_BATCH_ROWS_LIMIT,
                    "Rows of a batch, default 1024")
                .alias("max_batch_rows"),
            Parameter.integer(
                "concurrency", 1, RouteOptions.CONCURRENCY_LIMIT, "Workers, default processors"),
            Parameter.integer(
                "wait_ms", 0, MAX_WAIT_MS, "Wait so long for the end and reply the final status"),
            Parameter.choice(
                "if_exists",
                "When this name is running: error (default), return it, or replace it",
                "error",
                "return",
                "replace")),
        StatusJson.STATUS,
        new Hints(false, true, false, true),
        this::start,
        Examples::start);
  }

  private Tool routeStatus() {
    List<Parameter> reply = new ArrayList<>(StatusJson.STATUS);
    reply.add(Parameter.of("routes", Parameter.Kind.LIST));
    return new Tool(
        "route_status",
        "Status of a route",
        "Counts, rates and state of one route, running or ended; without a name a short list of the"
            + " latest routes.",
        List.of(Parameter.text("name", "").atMost(MAX_NAME_LENGTH)),
        List.copyOf(reply),
        new Hints(true, false, true, false),
        this::status,
        (code, arguments) -> Examples.STATUS_OF_ALL);
  }

  private Tool waitRoute() {
    return new Tool(
        "wait_route",
        "Wait for a route",
        "Waits until the route has ended and replies its final status. When the time is up the reply"
            + " has finished:false and the route goes on: call again. Cheaper than polling.",
        List.of(
            Parameter.text("name", "").atMost(MAX_NAME_LENGTH).mandatory(),
            Parameter.integer("timeout_ms", 0, MAX_WAIT_MS, "Default " + DEFAULT_WAIT_MS)),
        StatusJson.STATUS,
        new Hints(true, false, true, false),
        this::await,
        (code, arguments) -> exampleByName("wait_route", arguments));
  }

  private Tool stopRoute() {
    return new Tool(
        "stop_route",
        "Stop a route",
        "Stops a route and replies its final counts; of an ended route just those.",
        List.of(
            Parameter.text("name", "").atMost(MAX_NAME_LENGTH).mandatory(),
            Parameter.choice(
                "mode", "drain (default): finish what was read; now: drop it", "drain", "now"),
            Parameter.flag("drain", "false is the same as mode now")),
        StatusJson.STOPPED,
        new Hints(false, true, true, false),
        this::stop,
        (code, arguments) -> exampleByName("stop_route", arguments));
  }

  private Tool serverInfo() {
    return new Tool(
        "server_info",
        "About the server",
        "Version of the server, its connectors and the folders that routes may use.",
        List.of(),
        List.of(
            Parameter.of("name", Parameter.Kind.TEXT),
            Parameter.of("version", Parameter.Kind.TEXT),
            Parameter.of("git_hash", Parameter.Kind.TEXT),
            Parameter.of("profile", Parameter.Kind.TEXT),
            Parameter.of("connectors", Parameter.Kind.LIST),
            Parameter.of("roots", Parameter.Kind.LIST)),
        new Hints(true, false, true, false),
        (arguments, reply) -> {
          arguments.check();
          writeInfo(reply);
          return null;
        },
        (code, arguments) -> Examples.SERVER_INFO);
  }

  private Tool.@Nullable Rest start(Arguments arguments, JsonWriter reply) {
    IfExists ifExists = ifExists(arguments.text("if_exists"));
    long waitMs = arguments.integer("wait_ms", 0);
    RouteSpec spec = readRoute(arguments);
    checkDurable(spec);
    if (ifExists == IfExists.REPLACE) {
      // Ending the old run may take its time.
      return (progress, late) -> {
        Run run = start(spec, arguments, ifExists);
        waitOrTell(run, waitMs, progress, late);
      };
    }
    Run run = start(spec, arguments, ifExists);
    if (waitMs > 0) {
      return (progress, late) -> waitOrTell(run, waitMs, progress, late);
    }
    StatusJson.writeStarted(reply, run.status());
    return null;
  }

  private Run start(RouteSpec spec, Arguments arguments, IfExists ifExists) {
    try {
      Run run = engine.start(spec, ifExists);
      if (journal.remembers()) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("route", spec.secrets().isEmpty() ? arguments.object("route") : null);
        told.put("batch_size", arguments.count("batch_size"));
        told.put("concurrency", arguments.count("concurrency"));
        told.values().removeIf(Objects::isNull);
        boolean complete = told.containsKey("route");
        journal.started(
            run,
            new Journal.Started(run.name(), complete ? told : Map.of(), spec.options().durable()));
      }
      return run;
    } catch (SpecException e) {
      // The engine's paths begin at the route, except for what only an argument can be.
      throw new SpecException(
          e.problems().stream()
              .map(problem -> problem.path().equals("/name") ? problem : problem.under("/route"))
              .toList());
    }
  }

  private void checkDurable(RouteSpec spec) {
    if (!spec.options().durable()) {
      return;
    }
    if (!journal.remembers()) {
      throw new SpecException(
          List.of(
              new Problem(
                  ErrorCode.NOT_SUPPORTED,
                  "/route/durable",
                  "there is no folder to remember the route in",
                  "leave durable out, or the user makes the state folder writable")));
    }
    List<Problem> secrets =
        spec.secrets().stream()
            .map(
                path ->
                    new Problem(
                        ErrorCode.NOT_SUPPORTED,
                        "/route" + path,
                        "a durable route is written down, and this is a secret",
                        "write ${env:NAME}, so that only the name is remembered"))
            .toList();
    if (!secrets.isEmpty()) {
      throw new SpecException(secrets);
    }
  }

  /** Starts the durable routes of servers that are gone. */
  void startDurable() {
    for (Journal.Started route : journal.durable()) {
      try {
        Arguments arguments = new Arguments(startRoute().parameters(), route.arguments());
        start(readRoute(arguments), arguments, IfExists.ERROR);
      } catch (SpecException e) {
        boolean again =
            e.problems().stream()
                .allMatch(
                    problem ->
                        problem.code().retriable()
                            || problem.code().domain() == ErrorCode.Domain.EXTERNAL);
        journal.notStarted(route, e.problems(), again);
      }
    }
  }

  private RouteSpec readRoute(Arguments arguments) {
    Map<?, ?> route = arguments.object("route");
    Overrides overrides =
        new Overrides(arguments.count("batch_size"), arguments.count("concurrency"));
    RouteSpec spec = null;
    if (route != null) {
      try {
        spec = routes.read(route, arguments.text("name"), overrides, "/route");
      } catch (SpecException e) {
        arguments.problems().addAll(e.problems());
      }
    }
    arguments.check();
    if (spec == null) {
      throw new IllegalStateException("a missing route was not noticed");
    }
    return spec;
  }

  private static void waitOrTell(Run run, long waitMs, Tool.Progress progress, JsonWriter reply) {
    if (waitMs > 0 && waitFor(run, waitMs, progress)) {
      StatusJson.write(reply, run.status());
    } else {
      StatusJson.writeStarted(reply, run.status());
    }
  }

  private Tool.@Nullable Rest status(Arguments arguments, JsonWriter reply) {
    arguments.check();
    String name = arguments.text("name");
    if (name == null) {
      writeRoutes(reply);
    } else {
      Run run = engine.find(name);
      Map<?, ?> earlier = run == null ? journal.find(name) : null;
      if (earlier != null) {
        reply.any(earlier);
      } else {
        StatusJson.write(reply, find(name).status());
      }
    }
    return null;
  }

  private Tool.@Nullable Rest await(Arguments arguments, JsonWriter reply) {
    Map<?, ?> ended = earlier(arguments);
    if (ended != null) {
      reply.any(ended);
      return null;
    }
    Run run = named(arguments);
    long timeoutMs = arguments.integer("timeout_ms", DEFAULT_WAIT_MS);
    RunStatus status = run.status();
    if (status.finished() || timeoutMs == 0) {
      StatusJson.write(reply, status);
      return null;
    }
    return (progress, late) -> {
      waitFor(run, timeoutMs, progress);
      StatusJson.write(late, run.status());
    };
  }

  /** The ended run of an earlier server that the call names; null if it is a run of this one. */
  private @Nullable Map<?, ?> earlier(Arguments arguments) {
    arguments.check();
    String name = arguments.text("name");
    return name == null || engine.find(name) != null ? null : journal.find(name);
  }

  private Tool.@Nullable Rest stop(Arguments arguments, JsonWriter reply) {
    Map<?, ?> ended = earlier(arguments);
    if (ended != null) {
      StatusJson.writeStopped(reply, ended);
      return null;
    }
    Run run = named(arguments);
    RunStatus status = run.status();
    if (status.finished()) {
      StatusJson.writeStopped(reply, status);
      return null;
    }
    StopMode mode = stopMode(arguments);
    return (progress, late) -> {
      try {
        run.stop(mode, run.stopTimeout());
      } catch (InterruptedException e) {
        // The stop was asked for and goes on; only the waiting ends.
        Thread.currentThread().interrupt();
      }
      StatusJson.writeStopped(late, run.status());
    };
  }

  /** Waits for the run's end; false when the time was up or the thread was interrupted. */
  private static boolean waitFor(Run run, long waitMs, Tool.Progress progress) {
    long deadline = System.nanoTime() + Duration.ofMillis(waitMs).toNanos();
    try {
      while (true) {
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        boolean last = !progress.wanted() || left.compareTo(PROGRESS_INTERVAL) <= 0;
        if (run.await(last ? left : PROGRESS_INTERVAL)) {
          return true;
        } else if (last) {
          return false;
        }
        report(run.status(), progress);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void report(RunStatus status, Tool.Progress progress) {
    progress.report(
        status.bytesIn(),
        status.totalBytes(),
        String.format(
            Locale.ROOT,
            "%,d rows, %,d rows/s, %,d rejected",
            status.messages(),
            Math.round(status.messagesPerSecond()),
            status.rejected()));
  }

  private Run named(Arguments arguments) {
    arguments.check();
    String name = arguments.text("name");
    if (name == null) {
      throw new IllegalStateException("a missing name was not noticed");
    }
    return find(name);
  }

  private Run find(String name) {
    Run run = engine.find(name);
    if (run != null) {
      return run;
    }
    List<String> names = new ArrayList<>();
    engine.runs().reversed().forEach(known -> names.add(known.name()));
    journal.earlier().reversed().forEach(known -> names.add(String.valueOf(known.get("name"))));
    String nearest = Arguments.nearest(name, names);
    throw new SpecException(
        List.of(
            new Problem(
                ErrorCode.UNKNOWN_ROUTE,
                "/name",
                names.isEmpty()
                    ? "there is no route '%s'; none was started yet".formatted(Arguments.cut(name))
                    : "there is no route '%s'".formatted(Arguments.cut(name)),
                nearest == null ? null : "did you mean '%s'?".formatted(nearest),
                names.stream().distinct().limit(MAX_LISTED_ROUTES).toList())));
  }

  /** The call with nothing but the name; if there is no such route, the list of those there are. */
  private String exampleByName(String tool, Arguments arguments) {
    String name = arguments.text("name");
    return name == null || (engine.find(name) == null && journal.find(name) == null)
        ? Examples.STATUS_OF_ALL
        : Examples.byName(tool, name);
  }

  private void writeRoutes(JsonWriter reply) {
    List<Run> runs = engine.runs();
    // What ended well in another session is there by name, and not worth a reader's time here.
    List<Map<?, ?>> before = journal.interrupted();
    int fromNow = Math.min(runs.size(), MAX_LISTED_ROUTES);
    int fromBefore = Math.min(before.size(), MAX_LISTED_ROUTES - fromNow);
    int skipped = runs.size() - fromNow + journal.earlier().size() - fromBefore;
    reply.beginObject().key("routes").beginArray();
    for (Map<?, ?> run : before.subList(before.size() - fromBefore, before.size())) {
      StatusJson.writeShort(reply, run);
    }
    for (Run run : runs.subList(runs.size() - fromNow, runs.size())) {
      StatusJson.writeShort(reply, run.status());
    }
    reply.endArray();
    if (skipped > 0) {
      reply.field("older_not_shown", skipped);
    }
    reply.endObject();
  }

  private void writeInfo(JsonWriter reply) {
    reply
        .beginObject()
        .field("name", build.name())
        .field("version", build.version())
        .field("git_hash", build.gitHash())
        // There is but one: clients that measure ask for it.
        .field("profile", "release");
    reply.key("connectors").any(connectorNames());
    reply.key("roots").any(roots);
    reply.endObject();
  }

  private List<String> connectorNames() {
    return connectors.all().stream().map(connector -> connector.name()).toList();
  }

  private static IfExists ifExists(@Nullable String text) {
    return text == null ? IfExists.ERROR : IfExists.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static StopMode stopMode(Arguments arguments) {
    String mode = arguments.text("mode");
    boolean drain =
        mode == null ? !Boolean.FALSE.equals(arguments.flag("drain")) : mode.equals("drain");
    return drain ? StopMode.DRAIN : StopMode.NOW;
  }
}
