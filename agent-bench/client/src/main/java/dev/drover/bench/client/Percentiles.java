package dev.drover.bench.client;

import java.util.Arrays;

/**
 * Order statistics of a set of times.
 *
 * @param count how many
 * @param min the smallest
 * @param p50 the median by nearest rank, as the others
 * @param p95 95 % are at most this
 * @param p99 99 % are at most this
 * @param max the largest
 */
public record Percentiles(int count, double min, double p50, double p95, double p99, double max) {
  /** Of at least one value, in any unit. */
  public static Percentiles of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Percentiles(
        sorted.length,
        sorted[0],
        rank(sorted, 0.50),
        rank(sorted, 0.95),
        rank(sorted, 0.99),
        sorted[sorted.length - 1]);
  }

  private static double rank(double[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
