package dev.drover.cli;

import dev.drover.mcp.ServerOptions;
import dev.drover.mcp.StdioServer;
import dev.drover.spi.DroverException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code drover mcp}: serves agents. */
final class McpCommand {

  private static final String TRANSPORT = "--transport";
  private static final String ROOT = "--root";
  private static final String NO_WARM = "--no-warm";

  private McpCommand() {}

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

  static int run(ParseResult parsed, Streams streams) throws UsageException {
    CommandSpec spec = parsed.commandSpec();
    String transport = parsed.matchedOptionValue(TRANSPORT, "stdio");
    if (!transport.equals("stdio")) {
      throw Main.usageError(
          "there is no transport '%s'; the only one is stdio".formatted(transport), spec);
    }
    List<Path> roots = new ArrayList<>();
    for (String root : parsed.matchedOptionValue(ROOT, List.<String>of())) {
      try {
        roots.add(Path.of(inHome(root)));
      } catch (InvalidPathException e) {
        throw Main.usageError("--root: '%s' is no path".formatted(root), spec);
      }
    }
    boolean warm = !parsed.matchedOptionValue(NO_WARM, false);
    try {
      return StdioServer.serve(
          new ServerOptions(roots, warm ? ServerOptions.DEFAULT_WARM_UP : Duration.ZERO));
    } catch (DroverException e) {
      streams.err().println("drover: " + e.getMessage());
      String suggestion = e.problem().suggestion();
      if (suggestion != null) {
        streams.err().println("  " + suggestion);
      }
      return ExitCode.FAILED;
    }
  }

  /** A client starts the server without a shell, so nobody else does this. */
  private static String inHome(String path) {
    String home = System.getProperty("user.home", "");
    return path.equals("~") || path.startsWith("~/") ? home + path.substring(1) : path;
  }
}
