package dev.drover.bench.lab;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Entry point of {@code drover bench}, but for {@code drover bench mcp}. */
@Command(
    name = "drover",
    description = "Measures Drover beside other tools.",
    subcommands = BenchCommand.class)
public final class Main implements Callable<Integer> {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  boolean help;

  /** Set by picocli. */
  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** Exits with 0 done, 1 failed, 2 bad usage. */
  public static void main(String[] args) {
    // Numbers look the same on every machine.
    Locale.setDefault(Locale.ROOT);
    System.exit(run(args));
  }

  static int run(String... args) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              String message = e.getMessage();
              command.getErr().println("drover: " + (message == null ? e.toString() : message));
              return 1;
            })
        .execute(args);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }
}
