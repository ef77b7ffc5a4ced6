package dev.drover.bench.lab;

import dev.drover.bench.client.McpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The real command line in a child JVM, on the class path of the tests. */
final class ServerProcess {
  private static final Duration REPLY_TIMEOUT = Duration.ofMinutes(2);

  private ServerProcess() {}

  /** The command line with these words. */
  static List<String> command(String... words) {
    return command(List.of(), words);
  }

  private static List<String> command(List<String> flags, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(dev.drover.cli.Main.class.getName());
    command.addAll(List.of(words));
    return command;
  }

  /** A server that may use {@code root}, before the handshake; with more flags for its JVM. */
  static McpClient mcp(Path root, String... flags) throws IOException {
    return McpClient.start(
        command(List.of(flags), "mcp", "--root", root.toString()),
        REPLY_TIMEOUT,
        ProcessBuilder.Redirect.INHERIT);
  }
}
