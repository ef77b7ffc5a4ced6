package dev.drover.testkit;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When and how the parts of a {@link FaultyConnector} or {@link FaultyStore} fail. Thread-safe. */
public final class Faults {

  /** Where a fault strikes. */
  public enum Point {
    READ,
    RESTORE,
    WRITE,
    COMMIT,
    FINISH,
    SAVE
  }

  /** What happens there. */
  public enum Kind {
    /** It fails for a reason that may pass, and nothing was done. */
    FAIL,
    /** It is done, and fails all the same: nobody knows. */
    FAIL_WHEN_DONE,
    /** The answer to it, which comes later, is a failure; nothing was done. */
    FAIL_LATER,
    /** It fails for a reason that does not pass. */
    DISK_FULL,
    /** It takes its time. */
    SLOW
  }

  private static final long SLOW_MILLIS = 20;

  private final Point point;
  private final Kind kind;
  private final int first;
  private final int times;
  private final Map<Point, Integer> calls = new EnumMap<>(Point.class);
  private int struck;
  private boolean over;

  /**
   * @param first the call that is the first to be struck, from 1
   * @param times how many calls in a row are
   */
  public Faults(Point point, Kind kind, int first, int times) {
    this.point = point;
    this.kind = kind;
    this.first = first;
    this.times = times;
  }

  /** No faults. */
  public static Faults none() {
    return new Faults(Point.READ, Kind.FAIL, 1, 0);
  }

  /** From now on nothing fails any more. */
  public synchronized void end() {
    over = true;
  }

  /** How often it has struck. */
  public synchronized int struck() {
    return struck;
  }

  /** Another call of this kind: what happens to it; null: nothing. */
  synchronized @Nullable Kind next(Point at) {
    int call = calls.merge(at, 1, Integer::sum);
    boolean hit = at == point && !over && call >= first && call - first < times;
    struck += hit ? 1 : 0;
    return hit ? kind : null;
  }

  static DroverException failure(Kind kind) {
    return kind == Kind.DISK_FULL
        ? new DroverException(ErrorCode.DISK_FULL, "injected: no space is left")
        : new DroverException(ErrorCode.IO_ERROR, "injected: input or output failed");
  }

  /** Fails or waits before the call is done. */
  static void before(@Nullable Kind kind) {
    if (kind == Kind.FAIL || kind == Kind.DISK_FULL) {
      throw failure(kind);
    }
    if (kind == Kind.SLOW) {
      try {
        Thread.sleep(SLOW_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Fails after the call was done. */
  static void after(@Nullable Kind kind) {
    if (kind == Kind.FAIL_WHEN_DONE) {
      throw failure(kind);
    }
  }

  @Override
  public String toString() {
    return kind + " at " + point + " " + first + (times > 1 ? " and " + (times - 1) + " more" : "");
  }
}
