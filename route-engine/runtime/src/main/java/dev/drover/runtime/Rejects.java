package dev.drover.runtime;

import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of refused rows, and how many a run may have. Immutable. */
record Rejects(OnReject onReject, @Nullable Long maxRows, @Nullable Double maxPercent) {

  /** The bound if the route names none. */
  private static final double DEFAULT_MAX_PERCENT = 1;

  /** Rows that a percentage needs before it says anything. */
  private static final long PERCENT_AFTER_ROWS = 1000;

  static Rejects of(RouteOptions options) {
    return new Rejects(options.onReject(), options.maxRejectedRows(), options.maxRejectedPercent());
  }

  boolean fail() {
    return onReject == OnReject.FAIL;
  }

  /** What is wrong with so many refused rows among so many that were seen; null: nothing. */
  @Nullable Problem exceeded(long rejected, long seen) {
    if (maxRows != null && rejected > maxRows) {
      return problem(rejected, seen, "max_rejected_rows", maxRows.toString());
    }
    double percent =
        maxPercent != null ? maxPercent : maxRows != null ? Double.MAX_VALUE : DEFAULT_MAX_PERCENT;
    if (seen >= PERCENT_AFTER_ROWS && rejected * 100.0 > percent * seen) {
      return problem(rejected, seen, "max_rejected_percent", plain(percent));
    }
    return null;
  }

  private static String plain(double percent) {
    return percent == Math.rint(percent)
        ? Long.toString((long) percent)
        : String.format(Locale.ROOT, "%s", percent);
  }

  private static Problem problem(long rejected, long seen, String limit, String value) {
    return new Problem(
        ErrorCode.TOO_MANY_REJECTED,
        "/" + limit,
        "%d of %d rows were refused, more than %s (%s) allows"
            .formatted(rejected, seen, limit, value),
        "see why they are refused, or raise " + limit);
  }
}
