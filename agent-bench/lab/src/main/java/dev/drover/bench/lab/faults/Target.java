package dev.drover.bench.lab.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where the rows of a route of the harness go. The folder is a round's, and tells rounds apart. */
sealed interface Target permits FileTarget, LedgerTarget, NumberedTarget {

  /** What the route says of it. */
  Map<String, ?> endpoint(Path folder);

  /** Makes what is to be there before the first start. */
  default void prepare(Path folder) throws IOException {
    // Nothing.
  }

  /** How many bytes of rows are there, committed or not. */
  long length(Path folder) throws IOException;

  /** Whether all rows are there and are seen. */
  boolean complete(Path folder);

  /**
   * Whether a complete route may be started again by somebody who does not know that it is: then it
   * comes to the same end once more.
   */
  boolean repeatable();

  /** The bytes of rows that are there. */
  byte[] rows(Path folder) throws IOException;

  /** Loses connections in the middle of what is to come, where there are any. */
  default void disturb(Path folder, int afterRequests) {
    // There are none.
  }

  /** How often {@link #disturb} did. */
  default int disturbed(Path folder) {
    return 0;
  }

  /** The named points of writing and committing, see {@link KillPoints}. */
  List<String> commitPoints();

  /** The named points after the last commit. */
  default List<String> endPoints() {
    return List.of();
  }
}
