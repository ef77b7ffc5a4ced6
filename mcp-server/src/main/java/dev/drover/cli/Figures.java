package dev.drover.cli;

import java.util.Locale;

/** Numbers and times for people, the same in every locale. */
final class Figures {

  private static final double NANOS = 1e9;

  private Figures() {}

  /** Such as {@code 1,000,000}. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Such as {@code 0.35 s}, {@code 12.4 s} or {@code 3 min 5 s}. */
  static String duration(long nanos) {
    double seconds = nanos / NANOS;
    if (seconds < 1) {
      return String.format(Locale.ROOT, "%.3f s", seconds);
    } else if (seconds < 100) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3600
        ? "%d min %d s".formatted(whole / 60, whole % 60)
        : "%d h %d min".formatted(whole / 3600, whole % 3600 / 60);
  }

  /** Such as {@code 122.0 MB}: millions of bytes, as rates have them too. */
  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
