package dev.drover.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads command lines that have options, and says how to write them. */
final class Parser {

  private Parser() {}

  /**
   * Reads the words behind a command.
   *
   * @return null if help was asked for, and given
   */
  static @Nullable ParseResult parse(CommandSpec spec, List<String> words, Streams streams)
      throws UsageException {
    // A name that begins with @ is a name.
    CommandLine line = new CommandLine(spec).setExpandAtFiles(false);
    try {
      ParseResult parsed = line.parseArgs(words.toArray(String[]::new));
      if (parsed.isUsageHelpRequested()) {
        streams.out().print(usage(spec));
        return null;
      }
      return parsed;
    } catch (UnmatchedArgumentException e) {
      List<String> suggestions = e.getSuggestions();
      throw error(
          suggestions.isEmpty()
              ? String.valueOf(e.getMessage())
              : "%s; did you mean '%s'?".formatted(e.getMessage(), suggestions.getFirst()),
          spec);
    } catch (ParameterException e) {
      throw error(String.valueOf(e.getMessage()), spec);
    }
  }

  static UsageException error(String message, CommandSpec spec) {
    return new UsageException(
        "%s%n'drover %s --help' shows how to use it".formatted(message, spec.name()));
  }

  static String usage(CommandSpec spec) {
    return new CommandLine(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }
}
