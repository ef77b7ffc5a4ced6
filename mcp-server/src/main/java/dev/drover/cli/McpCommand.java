package dev.drover.cli;

import dev.drover.mcp.ServerOptions;
import dev.drover.mcp.StdioServer;
import dev.drover.runtime.StateFolder;
import dev.drover.spi.DroverException;
import java.time.Duration;

/** {@code drover mcp}: serves agents. */
final class McpCommand {

  private McpCommand() {}

  /** Returns the exit code, once the client has gone. */
  static int run(McpArguments arguments, Streams streams) {
    Duration warmUp = arguments.warm() ? ServerOptions.DEFAULT_WARM_UP : Duration.ZERO;
    try {
      return StdioServer.serve(
          new ServerOptions(
              arguments.roots(), arguments.variables(), warmUp, StateFolder.of(System.getenv())));
    } catch (DroverException e) {
      streams.err().println("drover: " + e.getMessage());
      String suggestion = e.problem().suggestion();
      if (suggestion != null) {
        streams.err().println("  " + suggestion);
      }
      return ExitCode.FAILED;
    }
  }
}
