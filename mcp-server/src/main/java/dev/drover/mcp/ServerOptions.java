package dev.drover.mcp;

import dev.drover.runtime.StateFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How to run a server.
 *
 * @param roots folders that routes may use besides the working folder and that of the client's
 *     project
 * @param variables environment variables that routes may read
 * @param warmUp how long the server may practise on made-up rows and calls before it answers the
 *     first message; zero: not at all
 * @param state where checkpoints and what outlives the server are kept
 */
public record ServerOptions(
    List<Path> roots, List<String> variables, Duration warmUp, StateFolder state) {

  /** Enough for the compiler to come to rest on two cores; the SDK starts meanwhile. */
  public static final Duration DEFAULT_WARM_UP = Duration.ofMillis(360);

  public ServerOptions {
    roots = List.copyOf(roots);
    variables = List.copyOf(variables);
    if (warmUp.isNegative()) {
      throw new IllegalArgumentException("warmUp is negative: " + warmUp);
    }
  }

  /** No further folders, the usual warm-up. */
  public static ServerOptions defaults() {
    return new ServerOptions(
        List.of(), List.of(), DEFAULT_WARM_UP, StateFolder.of(System.getenv()));
  }
}
