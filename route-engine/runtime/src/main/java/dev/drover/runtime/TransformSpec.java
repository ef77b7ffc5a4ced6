package dev.drover.runtime;

import dev.drover.spi.Access;
import dev.drover.transforms.Transform;
import dev.drover.transforms.TransformType;
import java.util.List;

/**
 * One transform of a route.
 *
 * @param config its options; a record of the type that the kind declares
 * @param path JSON pointer of it in the route
 */
public record TransformSpec(TransformType<?> type, Record config, String path) {

  /** What is to be applied, in order. */
  List<Transform> create(Access access) {
    return type.create(config, access);
  }
}
