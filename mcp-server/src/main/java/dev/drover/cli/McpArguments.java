package dev.drover.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * What {@code drover mcp} was told.
 *
 * @param roots folders that routes may use, besides those that need not be named
 * @param variables environment variables that routes may read
 * @param warm whether to practise before the first answer
 */
record McpArguments(List<Path> roots, List<String> variables, boolean warm) {

  private static final String TRANSPORT = "--transport";
  private static final String ROOT = "--root";
  private static final String ENV = "--env";
  private static final String NO_WARM = "--no-warm";

  /**
   * Reads the words behind the command.
   *
   * @return null if help was asked for, and given
   */
  static @Nullable McpArguments parse(List<String> words, Streams streams) throws UsageException {
    if (hasOnlyRoots(words)) {
      // The usual case: a client waits, and the parser would take a good part of the time.
      List<Path> roots = new ArrayList<>();
      for (int i = 1; i < words.size(); i += 2) {
        roots.add(Path.of(inHome(words.get(i))));
      }
      return new McpArguments(roots, List.of(), true);
    }
    CommandSpec spec = spec();
    ParseResult parsed = Parser.parse(spec, words, streams);
    if (parsed == null) {
      return null;
    }
    String transport = parsed.matchedOptionValue(TRANSPORT, "stdio");
    if (!transport.equals("stdio")) {
      throw Parser.error(
          "there is no transport '%s'; the only one is stdio".formatted(transport), spec);
    }
    List<Path> roots = new ArrayList<>();
    for (String root : parsed.matchedOptionValue(ROOT, List.<String>of())) {
      try {
        roots.add(Path.of(inHome(root)));
      } catch (InvalidPathException e) {
        throw Parser.error("--root: '%s' is no path".formatted(root), spec);
      }
    }
    List<String> variables = parsed.matchedOptionValue(ENV, List.<String>of());
    return new McpArguments(roots, variables, !parsed.matchedOptionValue(NO_WARM, false));
  }

  private static boolean hasOnlyRoots(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      boolean expected = i % 2 == 0 ? words.get(i).equals(ROOT) : isPlainPath(words.get(i));
      if (!expected) {
        return false;
      }
    }
    return words.size() % 2 == 0;
  }

  private static boolean isPlainPath(String word) {
    return !word.isEmpty() && !word.startsWith("-") && word.indexOf('\0') < 0;
  }

  /** A client starts the server without a shell, so nobody else does this. */
  private static String inHome(String path) {
    String home = System.getProperty("user.home", "");
    return path.equals("~") || path.startsWith("~/") ? home + path.substring(1) : path;
  }

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("mcp");
    spec.usageMessage()
        .width(Help.WIDTH)
        .synopsisHeading("")
        .customSynopsis("Usage: drover mcp [OPTIONS]")
        .description(
            "",
            "Serves an agent over MCP on standard input and output. Routes reach only files in",
            "the working folder, in the folder that CLAUDE_PROJECT_DIR names, in those given with",
            "--root, and one's own in the temp folder. Never builds: see 'drover build'.",
            "")
        .sortOptions(false)
        .optionListHeading("Options:%n")
        .footer(
            "",
            "Examples:",
            "  drover mcp",
            "  drover mcp --root /data --root ~/exports",
            "  claude mcp add drover -- /path/to/drover mcp --root /data");
    spec.addOption(
        OptionSpec.builder(TRANSPORT)
            .paramLabel("NAME")
            .arity("1")
            .type(String.class)
            .description("How the client is reached: stdio (the default and only one)")
            .build());
    spec.addOption(
        OptionSpec.builder(ROOT)
            .paramLabel("DIR")
            .arity("1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("A folder that routes may use; may be given again")
            .build());
    spec.addOption(
        OptionSpec.builder(ENV)
            .paramLabel("NAME")
            .arity("1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("An environment variable that routes may read; may be given again")
            .build());
    spec.addOption(
        OptionSpec.builder(NO_WARM)
            .arity("0")
            .type(boolean.class)
            .defaultValue("false")
            .description("Answer at once, without practising first; the first calls are slower")
            .build());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this").build());
    return spec;
  }
}
