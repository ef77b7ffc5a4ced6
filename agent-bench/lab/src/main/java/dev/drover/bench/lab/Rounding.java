package dev.drover.bench.lab;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers as they are shown and stored: no more digits than the measurement has. */
final class Rounding {
  private static final MathContext FOUR = new MathContext(4);

  private Rounding() {}

  /** Four significant digits, whole numbers kept. */
  static double digits(double value) {
    if (value == Math.rint(value)) {
      return value;
    }
    return BigDecimal.valueOf(value).round(FOUR).doubleValue();
  }
}
