package dev.drover.connectors.file;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A place in a file, or in a row of files of the same name that follow each other.
 *
 * @param generation how many files were before this one; 0 unless the file is followed
 * @param bytes the number of bytes before the place
 * @param mark tells the file; null unless it is followed
 */
record FileOffset(long generation, long bytes, @Nullable FileMark mark) implements Offset {

  private static final Comparator<FileOffset> ORDER =
      Comparator.comparingLong(FileOffset::generation).thenComparingLong(FileOffset::bytes);

  private static final int PARTS = 5;

  static FileOffset of(long bytes) {
    return new FileOffset(0, bytes, null);
  }

  static FileOffset parse(String text) {
    String[] parts = text.split(" ", PARTS + 1);
    try {
      if (parts.length == 1) {
        return of(Long.parseLong(text));
      } else if (parts.length == PARTS) {
        return new FileOffset(
            Long.parseLong(parts[0]),
            Long.parseLong(parts[1]),
            new FileMark(parts[2], Integer.parseInt(parts[3]), parts[4]));
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new DroverException(
        ErrorCode.INVALID_ARGUMENT, "an offset of a file is a number of bytes, not '" + text + "'");
  }

  @Override
  public String text() {
    return mark == null
        ? Long.toString(bytes)
        : "%d %d %s %d %s"
            .formatted(generation, bytes, mark.inode(), mark.headBytes(), mark.headHash());
  }

  @Override
  public int compareTo(Offset other) {
    return ORDER.compare(this, (FileOffset) other);
  }
}
