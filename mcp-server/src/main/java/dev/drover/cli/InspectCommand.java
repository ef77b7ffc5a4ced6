package dev.drover.cli;

import dev.drover.cli.EndpointUri.Part;
import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.RouteSpec;
import dev.drover.runtime.RunState;
import dev.drover.runtime.SpecException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code drover inspect}: the types of the rows of a source, as the schema that cast takes. */
final class InspectCommand {

  private static final String ROWS = "--rows";

  private InspectCommand() {}

  /** Returns the exit code. */
  static int run(List<String> words, Streams streams) throws UsageException {
    if (words.isEmpty() || Help.isWanted(words)) {
      (words.isEmpty() ? streams.err() : streams.out()).print(Help.inspect());
      return words.isEmpty() ? ExitCode.USAGE : ExitCode.DONE;
    }
    List<String> sources = new ArrayList<>(words);
    String rows = null;
    int at = sources.indexOf(ROWS);
    if (at >= 0 && at + 1 < sources.size()) {
      rows = sources.remove(at + 1);
      sources.remove(at);
    }
    if (sources.size() != 1 || sources.getFirst().startsWith("--")) {
      throw new UsageException("inspect takes one SOURCE, and --rows N if it need not look at all");
    }
    CopyReport report = new CopyReport(streams, false);
    try {
      Connectors connectors = Connectors.load();
      return inspect(connectors, sources.getFirst(), rows, report, streams);
    } catch (SpecException e) {
      return report.refused(e.problems());
    }
  }

  private static int inspect(
      Connectors connectors,
      String source,
      @Nullable String rows,
      CopyReport report,
      Streams streams) {
    List<Problem> problems = new ArrayList<>();
    EndpointUri uri = new EndpointUri(connectors, Part.SOURCE, problems);
    Map<String, Object> input = uri.read(source);
    long most = 0;
    try {
      most = rows == null ? 0 : Long.parseLong(rows.replace("_", ""));
    } catch (NumberFormatException e) {
      most = -1;
    }
    if (most < 0 || (rows != null && most == 0)) {
      problems.add(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/rows",
              "must be a whole number from 1, not '%s'".formatted(rows)));
    }
    if (input == null || !problems.isEmpty()) {
      throw new SpecException(problems);
    }
    Map<String, Object> route = new LinkedHashMap<>();
    route.put("input", input);
    route.put("transforms", uri.transforms());
    route.put("exit_on_empty", true);
    RouteSpec spec =
        new RouteReader(connectors, WriteMode.REPLACE)
            .read(route, "inspect", RouteReader.Overrides.NONE, "");
    try (Engine engine = new Engine(connectors, FileAccess.ofShell())) {
      Engine.Inspection found = engine.inspect(spec, most);
      if (found.status().state() != RunState.COMPLETED) {
        return report.ended(found.status(), 0);
      }
      streams.out().print(found.profile().schema());
      streams
          .err()
          .println(
              "looked at %s rows of %s".formatted(Figures.count(found.profile().rows()), source));
      return ExitCode.DONE;
    }
  }
}
