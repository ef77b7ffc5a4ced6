package dev.drover.connectors.file;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;

/** The number of bytes before a place. */
record FileOffset(long bytes) implements Offset {

  static FileOffset parse(String text) {
    try {
      return new FileOffset(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new DroverException(
          ErrorCode.INVALID_ARGUMENT, "an offset of a file is a number of bytes", e);
    }
  }

  @Override
  public String text() {
    return Long.toString(bytes);
  }

  @Override
  public int compareTo(Offset other) {
    return Long.compare(bytes, ((FileOffset) other).bytes);
  }
}
