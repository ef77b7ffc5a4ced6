package dev.drover.cli;

import dev.drover.spi.Nearest;
import java.util.Arrays;
import java.util.List;

/**
 * Where the process begins. Each command loads only what it needs, because start-up is waited for.
 */
public final class Main {

  private static final String DEBUG = "DROVER_DEBUG";

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, Streams.ofProcess()));
  }

  /** Runs a command and returns the process's exit code. */
  static int run(String[] args, Streams streams) {
    try {
      return dispatch(args, streams);
    } catch (UsageException e) {
      streams.err().println("drover: " + e.getMessage());
      return ExitCode.USAGE;
    } catch (RuntimeException | Error e) {
      streams.err().println("drover: a fault in Drover itself; set " + DEBUG + "=1 to see more");
      if (System.getenv(DEBUG) != null) {
        e.printStackTrace(streams.err());
      }
      return ExitCode.FAILED;
    }
  }

  private static int dispatch(String[] args, Streams streams) throws UsageException {
    if (args.length == 0) {
      streams.err().print(Help.overview());
      return ExitCode.USAGE;
    }
    List<String> rest = Arrays.asList(args).subList(1, args.length);
    return switch (args[0]) {
      case "version", "--version", "-V" -> version(rest, streams);
      case "help", "--help", "-h" -> help(rest, streams);
      case "copy" -> {
        CopyArguments arguments = CopyArguments.parse(rest, streams);
        yield arguments == null ? ExitCode.DONE : CopyCommand.run(arguments, streams);
      }
      case "mcp" -> {
        McpArguments arguments = McpArguments.parse(rest, streams);
        yield arguments == null ? ExitCode.DONE : McpCommand.run(arguments, streams);
      }
      case "inspect" -> InspectCommand.run(rest, streams);
      case "checkpoint" -> CheckpointCommand.run(rest, streams);
      case "build", "demo", "bench" ->
          throw new UsageException(
              "'%s' is started by the launcher: ./drover %s".formatted(args[0], args[0]));
      default -> throw unknownCommand(args[0]);
    };
  }

  private static int version(List<String> rest, Streams streams) throws UsageException {
    if (!rest.isEmpty() && !Help.isWanted(rest)) {
      throw new UsageException("'version' takes no arguments");
    }
    if (rest.isEmpty()) {
      streams.out().println(Version.text());
    } else {
      streams.out().print(Help.version());
    }
    return ExitCode.DONE;
  }

  private static int help(List<String> rest, Streams streams) throws UsageException {
    String command = rest.isEmpty() ? "" : rest.getFirst();
    switch (command) {
      case "" -> streams.out().print(Help.overview());
      case "copy" -> streams.out().print(Parser.usage(CopyArguments.spec()));
      case "mcp" -> streams.out().print(Parser.usage(McpArguments.spec()));
      case "version" -> streams.out().print(Help.version());
      case "inspect" -> streams.out().print(Help.inspect());
      case "checkpoint" -> streams.out().print(Help.checkpoint());
      case "build", "demo", "bench" ->
          throw new UsageException("help for it: ./drover %s --help".formatted(command));
      default -> throw unknownCommand(command);
    }
    return ExitCode.DONE;
  }

  private static UsageException unknownCommand(String name) {
    String nearest = Nearest.match(name, Help.COMMANDS);
    return new UsageException(
        nearest == null
            ? "there is no command '%s'; 'drover --help' lists them".formatted(name)
            : "there is no command '%s'; did you mean '%s'?".formatted(name, nearest));
  }
}
