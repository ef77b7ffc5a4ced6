package dev.drover.bench.client;

/** CPython's {@code round(x, digits)} as a scaled whole number. */
final class Rounded {
  private Rounded() {}

  /**
   * The whole number nearest to {@code x * scale}, the product taken exactly and ties going to the
   * even number. Divided by {@code scale} it is what CPython's {@code round} returns; printed as a
   * decimal without trailing zeros it is also the shortest text that reads back, as long as it has
   * at most 15 digits.
   */
  static long scaled(double x, int scale) {
    double product = x * scale;
    double missing = Math.fma(x, scale, -product);
    double nearest = Math.rint(product);
    double past = product - nearest;
    // rint settles a tie of the rounded product; the part that rounding lost decides the real one.
    if (past == 0.5 && missing > 0) {
      nearest += 1;
    } else if (past == -0.5 && missing < 0) {
      nearest -= 1;
    }
    return (long) nearest;
  }
}
