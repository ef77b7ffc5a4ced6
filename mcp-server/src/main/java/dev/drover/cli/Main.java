package dev.drover.cli;

import dev.drover.runtime.Nearest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

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
        ParseResult parsed = parse(CopyCommand.spec(), rest, streams);
        yield parsed == null ? ExitCode.DONE : CopyCommand.run(parsed, streams);
      }
      case "mcp" -> {
        ParseResult parsed = parse(McpCommand.spec(), rest, streams);
        yield parsed == null ? ExitCode.DONE : McpCommand.run(parsed, streams);
      }
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
      case "copy" -> streams.out().print(usage(CopyCommand.spec()));
      case "mcp" -> streams.out().print(usage(McpCommand.spec()));
      case "version" -> streams.out().print(Help.version());
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

  /** Null: help was asked for and given. */
  private static @Nullable ParseResult parse(CommandSpec spec, List<String> args, Streams streams)
      throws UsageException {
    CommandLine line = new CommandLine(spec);
    try {
      ParseResult parsed = line.parseArgs(args.toArray(String[]::new));
      if (parsed.isUsageHelpRequested()) {
        streams.out().print(usage(spec));
        return null;
      }
      return parsed;
    } catch (UnmatchedArgumentException e) {
      List<String> suggestions = e.getSuggestions();
      throw usageError(
          suggestions.isEmpty()
              ? String.valueOf(e.getMessage())
              : "%s; did you mean '%s'?".formatted(e.getMessage(), suggestions.getFirst()),
          spec);
    } catch (ParameterException e) {
      throw usageError(String.valueOf(e.getMessage()), spec);
    }
  }

  static UsageException usageError(String message, CommandSpec spec) {
    return new UsageException(
        "%s%n'drover %s --help' shows how to use it".formatted(message, spec.name()));
  }

  private static String usage(CommandSpec spec) {
    return new CommandLine(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }
}
