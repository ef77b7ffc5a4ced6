package dev.drover.cli;

import dev.drover.cli.EndpointUri.Part;
import dev.drover.runtime.Connectors;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.RouteSpec;
import dev.drover.runtime.SpecException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code drover copy}: a route from its arguments, run once. */
final class CopyCommand {

  private CopyCommand() {}

  /** Returns the exit code. Where rows go to standard output, everything else goes to error. */
  static int run(CopyArguments arguments, Streams given) {
    boolean rowsGoOut =
        EndpointUri.isStandard(arguments.target())
            || EndpointUri.isStandard(arguments.deadLetter());
    Streams streams = rowsGoOut ? new Streams(given.err(), given.err(), given.terminal()) : given;
    CopyReport report = new CopyReport(streams, arguments.json());
    Connectors connectors = Connectors.load();
    RouteSpec spec;
    try {
      spec = route(arguments, connectors);
    } catch (SpecException e) {
      return report.refused(e.problems());
    }
    return new Copying(connectors, spec, report, streams).run();
  }

  private static RouteSpec route(CopyArguments arguments, Connectors connectors) {
    List<Problem> problems = new ArrayList<>();
    EndpointUri source = new EndpointUri(connectors, Part.SOURCE, problems);
    EndpointUri target = new EndpointUri(connectors, Part.TARGET, problems);
    @Nullable Map<String, Object> input = source.read(arguments.source());
    @Nullable Map<String, Object> output = target.read(arguments.target());
    long limit = limit(arguments.limit(), problems);

    Map<String, Object> route = new LinkedHashMap<>();
    // An end that could not be read is stood in for, so that what is wrong elsewhere is told too.
    Map<String, Object> standIn = Map.of("null", Map.of());
    route.put("input", input == null ? standIn : input);
    route.put("output", output == null ? standIn : output);
    List<Object> transforms = new ArrayList<>(source.transforms());
    transforms.addAll(target.transforms());
    if (!transforms.isEmpty()) {
      route.put("transforms", transforms);
    }
    putIfGiven(route, "batch_size", arguments.batchSize());
    putIfGiven(route, "concurrency", arguments.concurrency());
    putIfGiven(route, "on_reject", arguments.onReject());
    if (arguments.deadLetter() != null) {
      route.putIfAbsent("on_reject", "dead_letter");
      Map<String, Object> letters =
          new EndpointUri(connectors, Part.DEAD_LETTER, problems).read(arguments.deadLetter());
      route.put("dead_letter", letters == null ? standIn : letters);
    }
    if (arguments.resume()) {
      route.put("resume", true);
    }
    set(route, arguments.settings(), problems);
    if (arguments.drain()) {
      route.put("exit_on_empty", true);
    }
    try {
      RouteSpec spec =
          new RouteReader(connectors, WriteMode.REPLACE)
              .read(route, "copy", RouteReader.Overrides.NONE, "");
      if (problems.isEmpty()) {
        return limit == 0 ? spec : spec.withLimitRows(limit);
      }
    } catch (SpecException e) {
      for (Problem problem : e.problems()) {
        boolean ofStandIn =
            (input == null && problem.path().startsWith("/input"))
                || (output == null && problem.path().startsWith("/output"))
                || (standIn.equals(route.get("dead_letter"))
                    && problem.path().startsWith("/dead_letter"));
        if (!ofStandIn) {
          problems.add(problem);
        }
      }
    }
    throw new SpecException(problems);
  }

  /** {@code NAME=VALUE}, a dot in the name going inwards: {@code retry.max_attempts=3}. */
  private static void set(
      Map<String, Object> route, List<String> settings, List<Problem> problems) {
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      int dot = setting.indexOf('.');
      if (equals <= 0) {
        problems.add(
            new Problem(
                ErrorCode.INVALID_ARGUMENT,
                "/set",
                "'%s' is no setting".formatted(setting),
                "write --set NAME=VALUE"));
      } else if (dot > 0 && dot < equals) {
        Map<Object, Object> inner = new LinkedHashMap<>();
        if (route.get(setting.substring(0, dot)) instanceof Map<?, ?> before) {
          inner.putAll(before);
        }
        inner.put(setting.substring(dot + 1, equals), setting.substring(equals + 1));
        route.put(setting.substring(0, dot), inner);
      } else {
        route.put(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
  }

  private static void putIfGiven(Map<String, Object> route, String key, @Nullable String value) {
    if (value != null) {
      route.put(key, value);
    }
  }

  /** 0: none is given. */
  private static long limit(@Nullable String text, List<Problem> problems) {
    if (text == null) {
      return 0;
    }
    try {
      long rows = Long.parseLong(text.replace("_", ""));
      if (rows > 0) {
        return rows;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number that is too small.
    }
    problems.add(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "/limit",
            "must be a whole number from 1, not '%s'".formatted(text)));
    return 0;
  }
}
