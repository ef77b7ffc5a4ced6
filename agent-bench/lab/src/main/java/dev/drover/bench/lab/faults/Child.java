package dev.drover.bench.lab.faults;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link RouteProcess} as its parent sees it. Closing kills it. */
final class Child implements AutoCloseable {

  /** Instead of a line, once there are no more. */
  static final String GONE = "gone";

  /** The route, see {@link RouteText}. */
  static final String ROUTE = "route";

  /** What it has written to its standard error. */
  static final String LOG = "stderr.log";

  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private Child(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::listen);
  }

  /**
   * Starts the process.
   *
   * @param woven classes with kill points
   * @param folder has the file {@link #ROUTE}; the state folder and {@link #LOG} come into it
   */
  static Child start(Path woven, Path folder, KillPlan plan) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // What is killed cannot remove the file that other tools would look at.
    command.add("-XX:-UsePerfData");
    command.add("-cp");
    command.add(woven + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(RouteProcess.class.getName());
    command.add(folder.resolve(ROUTE).toString());
    command.add(folder.resolve("state").toString());
    if (plan instanceof KillPlan.AtPoint at) {
      command.addAll(List.of(at.point(), Integer.toString(at.occurrence())));
    }
    return new Child(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve(LOG).toFile()))
            .start());
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = lines.readLine()) != null) {
        said.add(line);
      }
    } catch (IOException e) {
      // It was killed in the middle of a line.
    }
    said.add(GONE);
  }

  /** The next thing that it says; null if it says nothing within the time. */
  @Nullable String next(long nanos) throws InterruptedException {
    return said.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  /** Asks the run to stop. */
  void stop() throws IOException {
    process.getOutputStream().close();
  }

  /** Sends SIGKILL and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
