package dev.drover.bench.lab;

import org.jspecify.annotations.Nullable;

/**
 * One line of the table of figures.
 *
 * @param id stable name
 * @param what is measured, in words
 * @param unit of the value: {@code x} for a ratio, {@code ms}, {@code s}, {@code MiB}, {@code
 *     bytes}
 * @param value the figure
 * @param bound the least or the most that is acceptable
 * @param goal what we want
 * @param atMost whether smaller is better
 * @param n how many runs the figure stands on
 * @param seriesUnit unit of the series
 * @param drover what was seen of Drover
 * @param other what was seen of the tool it is compared with, in the same runs
 */
record Figure(
    String id,
    String what,
    String unit,
    double value,
    double bound,
    @Nullable Double goal,
    boolean atMost,
    int n,
    String seriesUnit,
    Series drover,
    @Nullable Series other) {

  /** Rows per second of Drover over those of the other tool, in alternating runs. */
  static Figure speedup(
      String id, String what, double bound, @Nullable Double goal, Series own, Series other) {
    return new Figure(
        id,
        what,
        "x",
        Rounding.digits(other.median() / own.median()),
        bound,
        goal,
        false,
        own.values().size(),
        "s",
        own,
        other);
  }

  /** Time of Drover over that of the other tool, in alternating runs. */
  static Figure share(String id, String what, double bound, double goal, Series own, Series other) {
    return new Figure(
        id,
        what,
        "x",
        Rounding.digits(own.median() / other.median()),
        bound,
        goal,
        true,
        own.values().size(),
        "s",
        own,
        other);
  }

  /** A median that must not be large. */
  static Figure atMost(
      String id, String what, String unit, double bound, @Nullable Double goal, Series own) {
    return new Figure(
        id, what, unit, own.median(), bound, goal, true, own.values().size(), unit, own, null);
  }

  /** Whether the figure is acceptable. */
  boolean acceptable() {
    return atMost ? value <= bound : value >= bound;
  }

  /** Whether the figure is what we want, where we want more than the acceptable. */
  boolean good() {
    return goal == null ? acceptable() : atMost ? value <= goal : value >= goal;
  }
}
