package dev.drover.runtime;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Option;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;

/**
 * How often and when to try again what failed for a reason that may pass: the option {@code retry}.
 * Attempts are counted anew once rows have come through.
 */
public record RetryPolicy(
    @Option(value = "Attempts before giving up; 1: no retry", defaultValue = "5", min = 1)
        int maxAttempts,
    @Option(value = "Pause before the second attempt", defaultValue = "100", max = 3_600_000)
        int initialBackoffMs,
    @Option(value = "Longest pause", defaultValue = "5000", max = 3_600_000) int maxBackoffMs,
    @Option(value = "What each pause is to the one before", defaultValue = "2", min = 1, max = 100)
        double multiplier,
    @Option(value = "Part of a pause that chance decides, 0 to 1", defaultValue = "0.2", max = 1)
        double jitter) {

  /** Whether it may help to do the same again, without anybody changing anything. */
  static boolean mayPass(Throwable cause) {
    Throwable e = cause;
    while (e instanceof CompletionException && e.getCause() != null) {
      e = e.getCause();
    }
    return e instanceof DroverException known
        && known.code().domain() == ErrorCode.Domain.EXTERNAL
        && known.code().retriable();
  }

  /**
   * How long to wait before the next attempt.
   *
   * @param failed how many have failed, at least 1
   */
  long pauseNanos(int failed, RandomGenerator random) {
    double full = Math.min(maxBackoffMs, initialBackoffMs * Math.pow(multiplier, failed - 1.0));
    double pause = full * (1 - jitter * random.nextDouble());
    return Math.round(pause * 1e6);
  }
}
