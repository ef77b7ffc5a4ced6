package dev.drover.transforms;

import dev.drover.spi.Batch;

/**
 * A transform made for one schema and one worker. What it returns is valid until it is called
 * again: it may keep its arrays.
 */
@FunctionalInterface
interface Step {

  /**
   * @param in rows of the schema that the step was made for; not changed
   * @param rows takes new bytes and what is refused; if the rows of the result are not those of
   *     {@code in}, one for one, {@link Rows#from} was called for each
   */
  Batch apply(Batch in, Rows rows);
}
