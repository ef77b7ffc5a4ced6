package dev.drover.bench.client;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Entry point of {@code drover demo} and {@code drover bench mcp}. */
@Command(
    name = "drover",
    description = "Drives a Drover MCP server as an agent would.",
    subcommands = {DemoCommand.class, Main.Bench.class})
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

  /** The part of {@code drover bench} that needs nothing but a client. */
  @Command(
      name = "bench",
      description = "Measures an MCP server from the outside.",
      subcommands = BenchMcpCommand.class)
  static final class Bench {
    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "show this help")
    boolean help;
  }

  static int run(String... args) {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              String message = e.getMessage();
              command
                  .getErr()
                  .println(
                      "drover: "
                          + (e instanceof McpException && message != null
                              ? message
                              : e.toString()));
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
