package dev.drover.connectors.file;

import dev.drover.spi.WriterScope;
import java.util.concurrent.TimeUnit;

/** Which of numbered files is written, and when the next is due. */
final class Roll {

  /**
   * When a file is full; 0 is never.
   *
   * @param rows of it
   * @param bytes of it, as they are on the disk
   */
  record Limits(long rows, long bytes, long intervalMs) {
    boolean areSet() {
      return rows > 0 || bytes > 0 || intervalMs > 0;
    }
  }

  private final Limits limits;
  private final WriterScope scope;
  private int number;
  private long rows;
  private long begunNanos;

  Roll(Limits limits, WriterScope scope) {
    this.limits = limits;
    this.scope = scope;
  }

  /** A file begins. */
  void begin(int next) {
    number = next;
    rows = 0;
    begunNanos = scope.access().nanoTime();
  }

  /** The number of the file that is written. */
  int number() {
    return number;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  /**
   * Whether the next rows belong into the next file. A file without rows is never full.
   *
   * @param bytes that the file has
   */
  boolean isDue(int next, long bytes) {
    boolean full =
        (limits.rows() > 0 && rows + next > limits.rows())
            || (limits.bytes() > 0 && bytes >= limits.bytes())
            || (limits.intervalMs() > 0
                && scope.access().nanoTime() - begunNanos
                    >= TimeUnit.MILLISECONDS.toNanos(limits.intervalMs()));
    return rows > 0 && full;
  }

  /** Rows are about to be written. */
  void add(int more) {
    rows += more;
  }
}
