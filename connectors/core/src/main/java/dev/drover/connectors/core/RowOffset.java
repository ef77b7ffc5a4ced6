package dev.drover.connectors.core;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;

/** The number of rows before a place. */
record RowOffset(long rows) implements Offset {

  static RowOffset parse(String text) {
    try {
      return new RowOffset(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new DroverException(
          ErrorCode.INVALID_ARGUMENT, "an offset of this source is a number of rows", e);
    }
  }

  @Override
  public String text() {
    return Long.toString(rows);
  }

  @Override
  public int compareTo(Offset other) {
    return Long.compare(rows, ((RowOffset) other).rows);
  }
}
