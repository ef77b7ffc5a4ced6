package dev.drover.connectors.file;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import org.jspecify.annotations.Nullable;

/**
 * A place in a file, or in the files that had its name one after the other.
 *
 * @param generation how many files there were before
 * @param bytes the number of bytes before the place
 * @param mark tells the file among those of its folder; null where only one is read
 */
record FileOffset(long generation, long bytes, @Nullable FileMark mark) implements Offset {

  private static final int GENERATION_PARTS = 2;

  static FileOffset parse(String text) {
    String[] parts = text.split(":", -1);
    try {
      if (parts.length == 1) {
        return new FileOffset(0, natural(parts[0]), null);
      }
      FileMark mark =
          parts.length == GENERATION_PARTS ? null : FileMark.parse(parts, GENERATION_PARTS);
      return new FileOffset(natural(parts[0]), natural(parts[1]), mark);
    } catch (IllegalArgumentException e) {
      throw new DroverException(
          ErrorCode.INVALID_ARGUMENT, "an offset of a file is a number of bytes", e);
    }
  }

  private static long natural(String text) {
    long number = Long.parseLong(text);
    if (number < 0) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }

  /** Tells the file among those that had its name; empty if there was only one. */
  String file() {
    if (mark == null) {
      return generation == 0 ? "" : Long.toString(generation);
    }
    return generation + ":" + mark.inode();
  }

  @Override
  public String text() {
    if (mark != null) {
      return generation + ":" + bytes + ":" + mark.text();
    }
    return generation == 0 ? Long.toString(bytes) : generation + ":" + bytes;
  }

  @Override
  public int compareTo(Offset other) {
    FileOffset that = (FileOffset) other;
    int byGeneration = Long.compare(generation, that.generation);
    return byGeneration == 0 ? Long.compare(bytes, that.bytes) : byGeneration;
  }
}
