package dev.drover.cli;

import dev.drover.runtime.RouteOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * What {@code drover copy} was told. Numbers are still text, so that what is wrong with them is
 * told together with everything else.
 */
record CopyArguments(
    String source,
    String target,
    boolean drain,
    @Nullable String limit,
    @Nullable String batchSize,
    @Nullable String concurrency,
    boolean resume,
    @Nullable String onReject,
    @Nullable String deadLetter,
    List<String> settings,
    boolean json) {

  private static final String LIMIT = "--limit";
  private static final String BATCH_SIZE = "--batch-size";
  private static final String CONCURRENCY = "--concurrency";
  private static final String DRAIN = "--drain";
  private static final String FROM = "--from";
  private static final String TO = "--to";
  private static final String RESUME = "--resume";
  private static final String ON_REJECT = "--on-reject";
  private static final String DEAD_LETTER = "--dead-letter";
  private static final String SET = "--set";
  private static final String JSON = "--json";

  /**
   * Reads the words behind the command.
   *
   * @return null if help was asked for, and given
   */
  static @Nullable CopyArguments parse(List<String> words, Streams streams) throws UsageException {
    if (words.size() == 2
        && words.stream().allMatch(word -> !word.startsWith("-") || EndpointUri.isStandard(word))) {
      // The parser takes as long to load as everything else together; two plain words need none.
      return of(words.getFirst(), words.getLast());
    }
    ParseResult parsed =
        Parser.parse(spec(), words.stream().map(EndpointUri::standardAsUri).toList(), streams);
    if (parsed == null) {
      return null;
    }
    List<String> ends = ends(parsed);
    return new CopyArguments(
        ends.getFirst(),
        ends.getLast(),
        parsed.matchedOptionValue(DRAIN, false),
        text(parsed, LIMIT),
        text(parsed, BATCH_SIZE),
        text(parsed, CONCURRENCY),
        parsed.matchedOptionValue(RESUME, false),
        text(parsed, ON_REJECT),
        text(parsed, DEAD_LETTER),
        parsed.matchedOptionValue(SET, List.<String>of()),
        parsed.matchedOptionValue(JSON, false));
  }

  /** Nothing but the two ends. */
  static CopyArguments of(String source, String target) {
    return new CopyArguments(
        source, target, false, null, null, null, false, null, null, List.of(), false);
  }

  private static @Nullable String text(ParseResult parsed, String option) {
    return parsed.matchedOptionValue(option, null);
  }

  private static List<String> ends(ParseResult parsed) throws UsageException {
    List<String> positional = parsed.matchedPositionalValue(0, List.<String>of());
    String from = text(parsed, FROM);
    String to = text(parsed, TO);
    CommandSpec spec = parsed.commandSpec();
    if (!positional.isEmpty() && (from != null || to != null)) {
      throw Parser.error("give SOURCE and TARGET, or --from and --to, not a mixture", spec);
    }
    if (from != null && to != null) {
      return List.of(from, to);
    }
    if (from != null || to != null) {
      throw Parser.error(from == null ? "--from is missing" : "--to is missing", spec);
    }
    if (positional.size() != 2) {
      throw Parser.error(
          positional.isEmpty() ? "SOURCE and TARGET are missing" : "TARGET is missing", spec);
    }
    return positional;
  }

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
            "it otherwise. An existing target is replaced, once all rows are written. SOURCE may be a folder",
            "or a pattern of files; - is standard input, and as TARGET standard output (JSON lines).",
            "")
        .sortOptions(false)
        .optionListHeading("Options:%n")
        .footer(
            "",
            "Examples:",
            "  drover copy orders.csv orders.jsonl",
            "  drover copy 'file:///data/export.txt?format=csv' ~/out/export.jsonl",
            "  drover copy orders.csv 'orders.jsonl?write_mode=create' --limit 100",
            "  drover copy orders.csv orders.jsonl --resume",
            "  drover copy orders.csv orders.jsonl --dead-letter rejected.jsonl",
            "  drover copy '2026-*.csv.gz' orders.jsonl.zst",
            "  cat orders.csv | drover copy '-?format=csv' - | head",
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
                .formatted(RouteOptions.MAX_BATCH_ROWS_LIMIT, RouteOptions.DEFAULT_BATCH_ROWS)));
    spec.addOption(
        value(
            CONCURRENCY,
            "N",
            "Decoding workers, 1 to %d (one for each processor)"
                .formatted(RouteOptions.CONCURRENCY_LIMIT)));
    spec.addOption(
        flag(
            RESUME,
            "Keep a checkpoint, and go on from it if an earlier run of the same copy has left one"));
    spec.addOption(
        value(
            ON_REJECT, "WHAT", "What to do with refused rows: fail (default), skip, dead_letter"));
    spec.addOption(
        value(DEAD_LETTER, "TARGET", "Where refused rows go; implies --on-reject dead_letter"));
    spec.addOption(
        OptionSpec.builder(SET)
            .paramLabel("NAME=VALUE")
            .arity("1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(
                "Set any other option of a route, such as commit_interval_ms; may be given again")
            .build());
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
}
