package dev.drover.spi;

import java.util.List;

/**
 * The answer to a write.
 *
 * @param rejected rows that the system refused for their content; all others are written
 */
public record Written(List<RejectedRow> rejected) {

  /** Every row is written. */
  public static final Written ALL = new Written(List.of());

  public Written {
    rejected = List.copyOf(rejected);
  }
}
