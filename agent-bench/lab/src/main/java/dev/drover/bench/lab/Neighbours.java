package dev.drover.bench.lab;

import java.io.IOException;

/** How much of the machine others used meanwhile, which a comparison has to tell. */
final class Neighbours {
  private final long begun = System.nanoTime();
  private final double before;

  private Neighbours(double before) {
    this.before = before;
  }

  /** Begins to look. */
  static Neighbours watch() throws IOException {
    return new Neighbours(othersCpuSeconds());
  }

  /**
   * Cores that neither this process nor its children used, on average since the beginning. All
   * children must have ended.
   */
  double cores() throws IOException {
    double seconds = (System.nanoTime() - begun) / 1e9;
    return Rounding.digits(Math.max(0, (othersCpuSeconds() - before) / seconds));
  }

  private static double othersCpuSeconds() throws IOException {
    return ProcessUse.machineCpuSeconds()
        - ProcessUse.ownCpuSeconds()
        - ProcessUse.endedChildrenCpuSeconds();
  }
}
