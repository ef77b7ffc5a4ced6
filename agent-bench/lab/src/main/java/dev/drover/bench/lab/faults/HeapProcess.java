package dev.drover.bench.lab.faults;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process that runs one route and looks at its own heap meanwhile. */
public final class HeapProcess {

  /**
   * Begins a line with the bytes that were used after a collection, and how far reading is ahead.
   */
  static final String SAMPLE = "sample ";

  private static final Duration BETWEEN = Duration.ofMillis(200);

  private HeapProcess() {}

  /**
   * Says a line {@code sample HEAP AHEAD} now and then, both in bytes, then how the run ended.
   *
   * @param args file of the route, see {@link RouteText}; state folder
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (OneRoute one = OneRoute.open(Path.of(args[1]))) {
      Run run = one.start(RouteText.parse(Files.readAllLines(Path.of(args[0]))));
      while (!run.await(BETWEEN)) {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        RunStatus status = run.status();
        long perRow = status.messages() == 0 ? 0 : status.bytesOut() / status.messages();
        long waiting = perRow == 0 ? 0 : status.bytesIn() - status.messages() * perRow;
        System.out.printf(
            "%s%d %d%n", SAMPLE, runtime.totalMemory() - runtime.freeMemory(), waiting);
      }
      RunStatus status = run.status();
      System.out.println(
          RouteProcess.ENDED
              + (status.state() == RunState.COMPLETED ? "well" : "failed " + status.error()));
    }
  }
}
