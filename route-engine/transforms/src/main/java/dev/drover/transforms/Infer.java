package dev.drover.transforms;

import dev.drover.spi.Schema;

/**
 * Stands in a route for the cast that follows from what is in its rows. Before the run its rows, as
 * the transforms before this one leave them, are read into a {@link Profile}; {@link Profile#cast}
 * takes its place.
 *
 * @param rows how many to look at where the source does not end
 */
public record Infer(int rows) implements Transform {

  @Override
  public Step step(Schema in) {
    throw new IllegalStateException("the types were not inferred");
  }
}
