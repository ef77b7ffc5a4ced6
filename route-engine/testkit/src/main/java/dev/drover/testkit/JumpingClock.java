package dev.drover.testkit;

import dev.drover.runtime.FileAccess;
import dev.drover.spi.Access;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Access to everything, with a clock that leaps forward and stands still. */
final class JumpingClock implements Access {

  /** A leap comes each so many looks; in between it stands still for as many. */
  private static final int PERIOD = 40;

  private static final long LEAP = Duration.ofHours(1).toNanos();

  private final FileAccess inner = FileAccess.unfenced();
  private final AtomicInteger looks = new AtomicInteger();
  private long leapt;
  private long last = System.nanoTime();

  @Override
  public Path file(String path, FileUse use) {
    return inner.file(path, use);
  }

  @Override
  public synchronized long nanoTime() {
    int look = looks.incrementAndGet();
    if (look % PERIOD == 0) {
      leapt += LEAP;
    }
    if (look / PERIOD % 2 == 0) {
      last = System.nanoTime() + leapt;
    }
    return last;
  }

  /** How often it has leapt. */
  int leaps() {
    return looks.get() / PERIOD;
  }
}
