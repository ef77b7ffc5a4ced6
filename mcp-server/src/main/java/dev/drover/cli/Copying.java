package dev.drover.cli;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.IfExists;
import dev.drover.runtime.RouteSpec;
import dev.drover.runtime.Run;
import dev.drover.runtime.SpecException;
import dev.drover.runtime.StateFolder;
import dev.drover.runtime.StopMode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One copy while it goes on: shows progress, listens to signals, says how it ended. */
final class Copying {

  private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(200);
  private static final Duration UNTIL_ENDED = Duration.ofDays(1);

  private final Connectors connectors;
  private final RouteSpec spec;
  private final CopyReport report;
  private final Streams streams;
  private final AtomicInteger signal = new AtomicInteger();
  private volatile @Nullable Run run;

  Copying(Connectors connectors, RouteSpec spec, CopyReport report, Streams streams) {
    this.connectors = connectors;
    this.spec = spec;
    this.report = report;
    this.streams = streams;
  }

  /** Returns the exit code. */
  int run() {
    Engine.Settings settings =
        Engine.Settings.NONE.withCheckpoints(StateFolder.of(System.getenv()), "");
    try (Engine engine = new Engine(connectors, FileAccess.ofShell(), settings)) {
      Signals.handle(this::signalled);
      // For the end of the terminal, and for anything else that ends the process from outside.
      Runtime.getRuntime().addShutdownHook(new Thread(this::stopUnlessEnded, "stop-copy"));
      Run started = engine.start(spec, IfExists.ERROR);
      run = started;
      if (signal.get() != 0) {
        stop(started);
      }
      await(started);
      return report.ended(started.status(), signal.get());
    } catch (SpecException e) {
      return report.refused(e.problems());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    }
  }

  private void await(Run started) throws InterruptedException {
    if (!streams.terminal()) {
      while (!started.await(UNTIL_ENDED)) {
        // Longer than a day: go on waiting.
      }
      return;
    }
    ProgressLine progress = new ProgressLine(streams.err());
    while (!started.await(PROGRESS_INTERVAL)) {
      progress.update(started.status());
    }
    progress.clear();
  }

  /**
   * The first signal stops the run, which commits what can be resumed and takes away what is half
   * written; a second ends at once.
   */
  private void signalled(int number) {
    if (!signal.compareAndSet(0, number)) {
      Runtime.getRuntime().halt(ExitCode.SIGNAL + number);
    }
    stopUnlessEnded();
  }

  private void stopUnlessEnded() {
    Run started = run;
    if (started != null && !started.status().finished()) {
      stop(started);
    }
  }

  private static void stop(Run run) {
    try {
      run.stop(StopMode.DRAIN, run.stopTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
