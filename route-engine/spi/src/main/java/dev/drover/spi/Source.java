package dev.drover.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a route reads from. Made for one run; calls come from one thread. */
public interface Source {

  Traits traits();

  /** The splits that are known at the start, in the order in which their rows are wanted. */
  List<Split> splits();

  /** What is read, for people: a path, a table, a topic; no secrets. */
  String description();

  /** Opens a reader; it has no split yet. Called again if a reader has failed and was closed. */
  Reader reader(ReaderScope scope);

  /**
   * Reads the stored form of an offset.
   *
   * @throws DroverException with {@link ErrorCode#INVALID_ARGUMENT} if it is none of this source
   */
  Offset offset(String text);

  /**
   * What this source reads, as something that equals the {@link Sink#identity} of a sink that would
   * write over it; null if that cannot happen.
   */
  default @Nullable Object identity() {
    return null;
  }

  /**
   * Whether a sink of this identity would write over something that is read here.
   *
   * @param target a {@link Sink#identity}
   */
  default boolean reads(Object target) {
    return target.equals(identity());
  }

  /**
   * What tells whether a split still holds what an earlier run has read of it: compared when a run
   * that ends by itself is resumed. One word; empty if there is nothing to compare.
   */
  default String fingerprint(Split split) {
    return "";
  }

  /** How many bytes there are to read; -1 if that cannot be told. For progress only. */
  default long sizeBytes() {
    return -1;
  }
}
