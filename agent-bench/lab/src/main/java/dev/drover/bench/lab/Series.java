package dev.drover.bench.lab;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What was seen in several runs of one thing.
 *
 * @param median the middle one, or the mean of the two
 * @param min the smallest
 * @param max the largest
 * @param cores median of CPU time over wall clock; null where it was not looked at
 * @param values all, in the order of the runs
 */
public record Series(
    double median, double min, double max, @Nullable Double cores, List<Double> values) {
  /** What was seen, in the order of the runs. */
  public static Series of(List<Double> values) {
    return of(values, null);
  }

  static Series ofSamples(List<Sample> samples) {
    double cores = median(samples.stream().map(s -> s.cpuSeconds() / s.wallSeconds()).toList());
    return of(samples.stream().map(Sample::wallSeconds).toList(), cores);
  }

  private static Series of(List<Double> values, @Nullable Double cores) {
    OptionalDouble min = values.stream().mapToDouble(v -> v).min();
    OptionalDouble max = values.stream().mapToDouble(v -> v).max();
    return new Series(
        Rounding.digits(median(values)),
        Rounding.digits(min.orElseThrow()),
        Rounding.digits(max.orElseThrow()),
        cores == null ? null : Rounding.digits(cores),
        values.stream().map(Rounding::digits).toList());
  }

  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
