package dev.drover.connectors.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.drover.spi.WriteMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The name that a complete file is to have, and the file that has it now, locked. */
final class FileName {

  private final Path path;
  private final WriteMode writeMode;
  private @Nullable FileChannel old;

  FileName(Path path, WriteMode writeMode) {
    this.path = path;
    this.writeMode = writeMode;
  }

  Path path() {
    return path;
  }

  /** What is written until it is complete. */
  Path part() {
    return path.resolveSibling(path.getFileName() + ".part");
  }

  /** Keeps others from writing to the file that has the name, under whatever name they know it. */
  void lock() throws IOException {
    // After a crash between its two steps, a link has made them the same file; it is locked
    // already.
    boolean sameFile = Files.exists(path) && Files.isSameFile(path, part());
    old = sameFile ? null : OutputFile.lockExisting(path);
  }

  /**
   * Gives the name to the complete file.
   *
   * @return whether another file had it
   */
  boolean take() throws IOException {
    boolean replaced = Files.exists(path, NOFOLLOW_LINKS);
    if (writeMode == WriteMode.CREATE) {
      link();
      release();
      return false;
    }
    Files.move(part(), path, ATOMIC_MOVE, REPLACE_EXISTING);
    FileChannel replacedFile = old;
    old = null;
    if (replacedFile != null) {
      // Freeing a large file takes the operating system long, some 0.5 ms a MiB; it does so when
      // the last handle is closed, and the run need not wait for that.
      Thread.ofPlatform().daemon().name("drover-free").start(() -> close(replacedFile));
    }
    return replaced;
  }

  /** A link to an existing name fails, where a rename would replace the other file. */
  private void link() throws IOException {
    try {
      Files.createLink(path, part());
    } catch (FileAlreadyExistsException e) {
      if (!Files.isSameFile(path, part())) {
        throw e;
      }
      // The run before had come as far as this.
    } catch (UnsupportedOperationException | FileSystemException e) {
      // A file system without hard links: the check and the rename are two steps there.
      Files.move(part(), path);
      return;
    }
    Files.delete(part());
  }

  void release() {
    FileChannel locked = old;
    old = null;
    if (locked != null) {
      close(locked);
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written to it.
    }
  }
}
