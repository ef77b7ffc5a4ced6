package dev.drover.cli;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.RouteSpec;
import dev.drover.runtime.SpecException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code drover copy}: a route from its arguments, run once. */
final class CopyCommand {

  private static final String LIMIT = "--limit";
  private static final String BATCH_SIZE = "--batch-size";
  private static final String CONCURRENCY = "--concurrency";
  private static final String DRAIN = "--drain";
  private static final String FROM = "--from";
  private static final String TO = "--to";
  private static final String JSON = "--json";

  private CopyCommand() {}

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("copy");
    spec.usageMessage()
        .width(Help.WIDTH)
        .synopsisHeading("")
        .customSynopsis(
            "Usage: drover copy [OPTIONS] SOURCE TARGET",
            "       drover copy [OPTIONS] --from SOURCE --to TARGET")
        .description(
            "",
            "Copies rows. SOURCE and TARGET are paths, or URIs whose query holds options:",
            "file:///folder/name?option=value&option=value. In a URI, %%7C is a bar, %%3F a question mark,",
            "%%25 a percent sign. The format follows from a file's extension (.csv, .jsonl); ?format= says",
            "it otherwise. An existing target is replaced, once all rows are written.",
            "")
        .sortOptions(false)
        .optionListHeading("Options:%n")
        .footer(
            "",
            "Examples:",
            "  drover copy orders.csv orders.jsonl",
            "  drover copy 'file:///data/export.txt?format=csv' ~/out/export.jsonl",
            "  drover copy orders.csv 'orders.jsonl?write_mode=create' --limit 100",
            "  drover copy orders.csv null: --json",
            "",
            "Exit codes: 0 done; 1 failed; 2 bad usage; 3 done, with rows that were skipped or put aside",
            "by choice; 130 and 143 stopped by a signal. A copy that fails or is stopped leaves an",
            "existing target as it was.");
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("SOURCE TARGET")
            .index("0..1")
            .arity("0..2")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .hidden(true)
            .build());
    spec.addOption(value(FROM, "SOURCE", "Where the rows are, instead of the first argument"));
    spec.addOption(value(TO, "TARGET", "Where they go, instead of the second argument"));
    spec.addOption(
        flag(DRAIN, "End when the source has no more rows; a file's end always ends the copy"));
    spec.addOption(value(LIMIT, "ROWS", "Copy at most so many rows"));
    spec.addOption(
        value(
            BATCH_SIZE,
            "ROWS",
            "Most rows of a batch, 1 to %,d (%d)"
                .formatted(RouteSpec.MAX_BATCH_ROWS_LIMIT, RouteSpec.DEFAULT_MAX_BATCH_ROWS)));
    spec.addOption(
        value(
            CONCURRENCY,
            "N",
            "Decoding workers, 1 to %d (one for each processor)"
                .formatted(RouteSpec.CONCURRENCY_LIMIT)));
    spec.addOption(flag(JSON, "Say how it ended as one JSON document on standard output"));
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this").build());
    return spec;
  }

  private static OptionSpec value(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .arity("1")
        .type(String.class)
        .description(description)
        .build();
  }

  private static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name)
        .arity("0")
        .type(boolean.class)
        .defaultValue("false")
        .description(description)
        .build();
  }

  static int run(ParseResult parsed, Streams streams) throws UsageException {
    List<String> ends = ends(parsed);
    boolean json = parsed.matchedOptionValue(JSON, false);
    CopyReport report = new CopyReport(streams, json);
    Connectors connectors = Connectors.load();
    RouteSpec spec;
    try {
      spec = route(parsed, connectors, ends.getFirst(), ends.getLast());
    } catch (SpecException e) {
      return report.refused(e.problems());
    }
    return new Copying(connectors, spec, report, streams).run();
  }

  private static List<String> ends(ParseResult parsed) throws UsageException {
    List<String> positional = parsed.matchedPositionalValue(0, List.<String>of());
    @Nullable String from = parsed.matchedOptionValue(FROM, null);
    @Nullable String to = parsed.matchedOptionValue(TO, null);
    CommandSpec spec = parsed.commandSpec();
    if (!positional.isEmpty() && (from != null || to != null)) {
      throw Main.usageError("give SOURCE and TARGET, or --from and --to, not a mixture", spec);
    }
    if (from != null && to != null) {
      return List.of(from, to);
    }
    if (from != null || to != null) {
      throw Main.usageError(from == null ? "--from is missing" : "--to is missing", spec);
    }
    if (positional.size() != 2) {
      throw Main.usageError(
          positional.isEmpty() ? "SOURCE and TARGET are missing" : "TARGET is missing", spec);
    }
    return positional;
  }

  private static RouteSpec route(
      ParseResult parsed, Connectors connectors, String from, String to) {
    List<Problem> problems = new ArrayList<>();
    @Nullable Map<String, Object> input = new EndpointUri(connectors, true, problems).read(from);
    @Nullable Map<String, Object> output = new EndpointUri(connectors, false, problems).read(to);
    long limit = limit(parsed, problems);

    Map<String, Object> route = new LinkedHashMap<>();
    // An end that could not be read is stood in for, so that what is wrong elsewhere is told too.
    Map<String, Object> standIn = Map.of("null", Map.of());
    route.put("input", input == null ? standIn : input);
    route.put("output", output == null ? standIn : output);
    putIfGiven(route, "batch_size", parsed.matchedOptionValue(BATCH_SIZE, (String) null));
    putIfGiven(route, "concurrency", parsed.matchedOptionValue(CONCURRENCY, (String) null));
    if (parsed.matchedOptionValue(DRAIN, false)) {
      route.put("exit_on_empty", true);
    }
    try {
      RouteSpec spec =
          new RouteReader(connectors, Map.of("write_mode", "replace"))
              .read(route, "copy", RouteReader.Overrides.NONE, "");
      if (problems.isEmpty()) {
        return limit == 0 ? spec : spec.withLimitRows(limit);
      }
    } catch (SpecException e) {
      for (Problem problem : e.problems()) {
        boolean ofStandIn =
            (input == null && problem.path().startsWith("/input"))
                || (output == null && problem.path().startsWith("/output"));
        if (!ofStandIn) {
          problems.add(problem);
        }
      }
    }
    throw new SpecException(problems);
  }

  private static void putIfGiven(Map<String, Object> route, String key, @Nullable String value) {
    if (value != null) {
      route.put(key, value);
    }
  }

  /** 0: none is given. */
  private static long limit(ParseResult parsed, List<Problem> problems) {
    @Nullable String text = parsed.matchedOptionValue(LIMIT, null);
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
