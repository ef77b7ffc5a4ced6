package dev.drover.runtime;

/** Spreads rows and bytes over time: at most so many a second. One thread. */
final class Pace {

  private static final double NANOS = 1e9;

  private final Lane rows;
  private final Lane bytes;

  /** 0: no limit. */
  Pace(long rowsPerSecond, long bytesPerSecond) {
    rows = new Lane(rowsPerSecond);
    bytes = new Lane(bytesPerSecond);
  }

  /** So many rows go now. */
  void rows(long count, long now) {
    rows.take(count, now);
  }

  /** So many bytes go now. */
  void bytes(long count, long now) {
    bytes.take(count, now);
  }

  /** How long the next have to wait; 0 or less: not at all. */
  long nanosLeft(long now) {
    return Math.max(rows.nanosLeft(now), bytes.nanosLeft(now));
  }

  private static final class Lane {
    private final long perSecond;
    private boolean begun;
    private long freeAt;

    Lane(long perSecond) {
      this.perSecond = perSecond;
    }

    void take(long count, long now) {
      if (perSecond > 0) {
        long from = begun && freeAt - now > 0 ? freeAt : now;
        begun = true;
        freeAt = from + (long) (count * NANOS / perSecond);
      }
    }

    long nanosLeft(long now) {
      return begun ? freeAt - now : 0;
    }
  }
}
