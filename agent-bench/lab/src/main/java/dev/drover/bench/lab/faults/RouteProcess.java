package dev.drover.bench.lab.faults;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The process that is killed: one route, which may go on where the process before it was. Says on
 * its standard output what it has come to; ends the run when its standard input ends.
 */
public final class RouteProcess {

  /** Said once the first bytes of input were read. */
  static final String READING = "reading";

  /** Said, with the outcome, when the run has ended by itself. */
  static final String ENDED = "ended ";

  private static final Duration LOOK = Duration.ofMillis(1);

  private RouteProcess() {}

  /**
   * Runs a route.
   *
   * @param args file of the route, see {@link RouteText}; state folder; point at which to wait for
   *     the kill, and at which time of coming there; the last two may be missing
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 2) {
      KillPoints.arm(args[2], Integer.parseInt(args[3]));
    }
    Map<String, Object> route = RouteText.parse(Files.readAllLines(Path.of(args[0])));
    String outcome;
    try (OneRoute one = OneRoute.open(Path.of(args[1]))) {
      Run run = one.start(route);
      Thread.ofPlatform().daemon().start(() -> stopAtEndOfInput(run));
      boolean reading = false;
      boolean ended = false;
      while (!ended) {
        ended = run.await(LOOK);
        if (!reading && run.status().bytesIn() > 0) {
          reading = true;
          say(READING);
        }
      }
      RunStatus status = run.status();
      outcome = status.state() == RunState.FAILED ? "failed " + status.error() : "well";
    } catch (SpecException e) {
      outcome = "refused " + e.problems();
    }
    say(ENDED + outcome);
  }

  private static void say(String text) {
    System.out.println(text);
    System.out.flush();
  }

  private static void stopAtEndOfInput(Run run) {
    try {
      while (System.in.read() >= 0) {
        // Until its end.
      }
      run.stop(StopMode.DRAIN, run.stopTimeout());
    } catch (IOException | InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
