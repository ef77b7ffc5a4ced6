package dev.drover.bench.client;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the command that starts the MCP server. */
public final class ServerCommand {
  /** Environment variable that the launcher sets to its own path. */
  private static final String LAUNCHER = "DROVER_LAUNCHER";

  private ServerCommand() {}

  /**
   * The command line of a server that may read and write under {@code root}.
   *
   * @param given a whole command, its words parted by spaces; null for the launcher's own server
   * @throws McpException when there is neither
   */
  public static List<String> resolve(@Nullable String given, Path root) throws McpException {
    if (given != null && !given.isBlank()) {
      return Arrays.asList(given.strip().split(" +"));
    }
    List<String> command = new ArrayList<>(launcher());
    command.addAll(List.of("mcp", "--root", root.toString()));
    return command;
  }

  /**
   * The launcher as the first word of a command.
   *
   * @throws McpException when this program was not started by it
   */
  public static List<String> launcher() throws McpException {
    String launcher = System.getenv(LAUNCHER);
    if (launcher == null || launcher.isEmpty()) {
      throw new McpException(
          "no server to start: run this through ./drover, or name one with --server");
    }
    return List.of(launcher);
  }
}
