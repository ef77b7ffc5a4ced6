package dev.drover.bench.lab;

import dev.drover.bench.client.McpClient;
import dev.drover.bench.client.ServerCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the suites of one session share: a folder, the inputs, the way to start a server.
 *
 * @param folder for inputs and outputs
 * @param runs how often each contestant runs
 * @param rows of the fixture
 * @param launcher first words of every command
 * @param log for progress
 */
record Session(Path folder, int runs, long rows, List<String> launcher, PrintWriter log) {
  private static final Duration REPLY_TIMEOUT = Duration.ofMinutes(5);

  /** The fixture; made on first use. */
  Input fixture() throws IOException {
    return Input.fixture(folder.resolve("bench.csv"), rows);
  }

  /** A fresh file name for outputs. */
  Path output() {
    return folder.resolve("out.jsonl");
  }

  /** Starts a server that may use the folder; does not shake hands. */
  McpClient server() throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of("mcp", "--root", folder.toString()));
    return McpClient.start(command, REPLY_TIMEOUT, ProcessBuilder.Redirect.INHERIT);
  }

  /** Starts a server and shakes hands. */
  McpClient openServer() throws IOException {
    McpClient client = server();
    try {
      client.initialize(McpClient.OLDEST_PROTOCOL);
      return client;
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  /** A launcher command with these words. */
  List<String> command(String... words) {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of(words));
    return command;
  }

  void say(String text) {
    log.println(text);
    log.flush();
  }

  /**
   * Runs the contestants in turn, so that a slow minute of the machine hits all of them: once
   * uncounted, then {@link #runs} rounds, each begun by the next contestant.
   */
  Map<Contestant, List<Sample>> alternate(List<? extends Contestant> contestants) throws Exception {
    Map<Contestant, List<Sample>> samples = new LinkedHashMap<>();
    for (Contestant each : contestants) {
      say("  warm   %-28s %s".formatted(each.name(), seconds(each.run())));
      samples.put(each, new ArrayList<>());
    }
    for (int round = 0; round < runs; round++) {
      for (int i = 0; i < contestants.size(); i++) {
        Contestant each = contestants.get((i + round) % contestants.size());
        Sample sample = each.run();
        samples.computeIfAbsent(each, none -> new ArrayList<>()).add(sample);
        say("  %d of %d %-28s %s".formatted(round + 1, runs, each.name(), seconds(sample)));
      }
    }
    return samples;
  }

  private static String seconds(Sample sample) {
    return "%.3f s  %.2f cores"
        .formatted(sample.wallSeconds(), sample.cpuSeconds() / sample.wallSeconds());
  }

  /** The launcher that started this program, or the one given. */
  static List<String> launcher(@Nullable String given) throws IOException {
    return given == null || given.isBlank()
        ? ServerCommand.launcher()
        : List.of(given.strip().split(" +"));
  }
}
