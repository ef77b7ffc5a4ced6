package dev.drover.mcp;

import dev.drover.runtime.StateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs the server as a process of its own, as clients do. */
final class ServerProcess {

  private ServerProcess() {}

  /** Starts it in a folder; its log goes to {@code log} there. */
  static Process start(Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
    command.addAll(
        List.of("-Xlog:all=warning:stderr", "-cp", System.getProperty("java.class.path")));
    command.add(ServerProcess.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().remove("CLAUDE_PROJECT_DIR");
    builder.environment().put(StateFolder.VARIABLE, folder.resolve("state").toString());
    builder.redirectError(folder.resolve("log").toFile());
    return builder.start();
  }

  public static void main(String[] args) {
    System.exit(
        StdioServer.serve(
            new ServerOptions(
                List.of(), List.of(), Duration.ofMillis(10), StateFolder.of(System.getenv()))));
  }
}
