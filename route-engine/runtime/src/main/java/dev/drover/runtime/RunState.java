package dev.drover.runtime;

import java.util.Locale;

/** Where a run is in its life. The last three are final. */
public enum RunState {
  STARTING,
  RUNNING,
  /** Reading has ended; what was read is still being written and committed. */
  DRAINING,
  COMPLETED,
  FAILED,
  STOPPED;

  public boolean isFinal() {
    return compareTo(COMPLETED) >= 0;
  }

  /** The name as clients see it. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
