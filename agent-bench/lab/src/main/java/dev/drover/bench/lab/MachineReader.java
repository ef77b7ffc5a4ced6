package dev.drover.bench.lab;

import com.sun.management.OperatingSystemMXBean;
import dev.drover.bench.client.McpClient;
import dev.drover.bench.client.ServerCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds out where and with what a session runs. */
public final class MachineReader {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private MachineReader() {}

  /**
   * Starts a server to ask for its version and flags.
   *
   * @param root of the sources
   */
  static Report.Machine read(Session session, Path root, Neighbours neighbours)
      throws IOException, InterruptedException, SQLException {
    String version;
    String flags;
    try (McpClient client = session.openServer()) {
      version = client.require("server_info", Map.of()).value().path("version").asString("unknown");
      flags = flags(client.server());
    }
    try (DuckDb duck = new DuckDb()) {
      return new Report.Machine(
          now(),
          commit(root),
          version,
          Runtime.version().toString(),
          flags,
          duck.version(),
          os(),
          cpu(),
          Runtime.getRuntime().availableProcessors(),
          SYSTEM.getTotalMemorySize() >> 20,
          neighbours.cores());
    }
  }

  /** The sources of the Drover whose launcher has started this program. */
  public static Path root() throws IOException {
    return Path.of(ServerCommand.launcher().getFirst())
        .toAbsolutePath()
        .resolveSibling("")
        .normalize();
  }

  /**
   * Where and with what this program runs, in words.
   *
   * @param root of the sources
   */
  public static String describe(Path root) throws IOException, InterruptedException {
    return "Commit %s, JDK %s, %s, %s, %d cores, %,d MiB; %s"
        .formatted(
            commit(root),
            Runtime.version(),
            os(),
            cpu(),
            Runtime.getRuntime().availableProcessors(),
            SYSTEM.getTotalMemorySize() >> 20,
            now());
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.MINUTES).toString();
  }

  private static String os() {
    return System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  /** The options of a JVM, without what is only a place. */
  private static String flags(ProcessHandle server) {
    return Arrays.stream(server.info().arguments().orElse(new String[0]))
        .filter(word -> word.startsWith("-X") || word.startsWith("--enable"))
        .map(word -> word.replaceFirst("^(-XX:AOTCache=).*$", "$1…"))
        .collect(Collectors.joining(" "));
  }

  private static String commit(Path root) throws IOException, InterruptedException {
    String commit = git(root, "rev-parse", "--short=12", "HEAD");
    if (commit.isEmpty()) {
      return "unknown";
    }
    // The results themselves may have changed since; they are not what is measured.
    String changes =
        git(root, "status", "--porcelain", "--", ".", ":!agent-bench/results", ":!*.md");
    return changes.isEmpty() ? commit : commit + "+changes";
  }

  private static String git(Path root, String... words) throws IOException, InterruptedException {
    List<String> command =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of("git", "-C", root.toString()), Arrays.stream(words))
            .toList();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return process.waitFor() == 0 ? said : "";
  }

  private static String cpu() throws IOException {
    Path file = Path.of("/proc/cpuinfo");
    if (!Files.exists(file)) {
      return "unknown processor";
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown processor");
  }
}
