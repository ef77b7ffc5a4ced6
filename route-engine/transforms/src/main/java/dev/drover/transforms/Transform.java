package dev.drover.transforms;

import dev.drover.spi.Schema;
import java.util.List;

/**
 * One step of what a route does to its rows. Immutable; shared by the workers of a run, and applied
 * by {@link Chain}.
 */
public interface Transform {

  /**
   * Works out what becomes of rows of a schema. Called by a worker once for each schema that comes.
   *
   * @throws dev.drover.spi.DroverException if it cannot be applied to such rows: a field that they
   *     do not have, a type that does not fit
   */
  Step step(Schema in);

  /** Makes fields of the keys of all objects. */
  static Transform flatten() {
    return new Flatten(List.of(), ".", Integer.MAX_VALUE);
  }
}
