package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What a folder tells of a file.
 *
 * @param key the same for all names of the file, and for no other file that is there
 * @param inode its number; 0 if there is none
 */
record Stat(Object key, long inode, long size, FileTime modified, boolean isRegular) {

  /** Null if there is no file. */
  static @Nullable Stat of(Path path, LinkOption... options) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class, options);
      Object key = found.fileKey();
      return new Stat(
          key == null ? found.creationTime() : key,
          key == null ? 0 : inode(path, options),
          found.size(),
          found.lastModifiedTime(),
          found.isRegularFile());
    } catch (IOException e) {
      return null;
    }
  }

  private static long inode(Path path, LinkOption... options) throws IOException {
    try {
      return (long) Files.getAttribute(path, "unix:ino", options);
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }

  boolean isSame(Stat other) {
    return key.equals(other.key);
  }
}
