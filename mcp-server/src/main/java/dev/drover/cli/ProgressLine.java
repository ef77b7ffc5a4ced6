package dev.drover.cli;

import dev.drover.runtime.RunStatus;
import java.io.PrintStream;
import java.util.Locale;

/**
 * One line on a terminal that says how far a run is. It only reads the run's counters, so the run
 * does not notice it. One thread.
 */
final class ProgressLine {

  /** Shorter runs need no line. */
  private static final long SILENT_NANOS = 500_000_000L;

  private static final String CLEAR = "\r\033[K";

  private final PrintStream terminal;
  private boolean shown;

  ProgressLine(PrintStream terminal) {
    this.terminal = terminal;
  }

  void update(RunStatus status) {
    if (status.elapsedNanos() < SILENT_NANOS) {
      return;
    }
    terminal.print(CLEAR + text(status));
    terminal.flush();
    shown = true;
  }

  /** Takes the line away. */
  void clear() {
    if (shown) {
      terminal.print(CLEAR);
      terminal.flush();
      shown = false;
    }
  }

  static String text(RunStatus status) {
    long elapsed = status.elapsedNanos();
    StringBuilder line = new StringBuilder();
    line.append(Figures.count(status.messages())).append(" rows, ");
    line.append(Figures.count(Math.round(status.messagesPerSecond()))).append(" rows/s, ");
    line.append(Figures.megabytes(perSecond(status.bytesIn(), elapsed)));
    line.append("/s, ").append(Figures.duration(elapsed));
    if (status.totalBytes() > 0 && status.bytesIn() > 0) {
      double done = Math.min(1, (double) status.bytesIn() / status.totalBytes());
      line.append(String.format(Locale.ROOT, ", %.0f %%", Math.floor(done * 100)));
      line.append(", ").append(Figures.duration((long) (elapsed * (1 - done) / done)));
      line.append(" left");
    }
    return line.toString();
  }

  private static long perSecond(long count, long nanos) {
    return nanos <= 0 ? 0 : Math.round(count * 1e9 / nanos);
  }
}
