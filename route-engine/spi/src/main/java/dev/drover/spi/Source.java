package dev.drover.spi;

import java.util.List;

/** Where a route reads from. Made for one run; calls come from one thread. */
public interface Source {

  Traits traits();

  /** The splits that are known at the start, in the order in which their rows are wanted. */
  List<Split> splits();

  /** Opens a reader; it has no split yet. */
  Reader reader(ReaderScope scope);

  /**
   * Reads the stored form of an offset.
   *
   * @throws DroverException with {@link ErrorCode#INVALID_ARGUMENT} if it is none of this source
   */
  Offset offset(String text);

  /** How many bytes there are to read; -1 if that cannot be told. For progress only. */
  default long sizeBytes() {
    return -1;
  }
}
