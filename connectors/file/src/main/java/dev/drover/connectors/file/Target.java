package dev.drover.connectors.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.drover.formats.SinkFormat;
import dev.drover.spi.WriteMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file to write and the names beside it.
 *
 * @param path links are resolved
 * @param rows how they are written; the format has a name
 * @param force whether a commit must survive a power cut
 * @param packing how it is compressed
 */
record Target(Path path, SinkFormat rows, WriteMode writeMode, boolean force, Packing packing) {

  /** Holds the rows of a run that shows them at its end. */
  Path part() {
    return beside(".part");
  }

  /** Holds the checkpoint. */
  Path sidecar() {
    return beside(".drover");
  }

  /** Holds the next checkpoint until it is whole. */
  Path nextSidecar() {
    return beside(".drover.tmp");
  }

  private Path beside(String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  boolean exists() {
    return Files.exists(path, NOFOLLOW_LINKS);
  }

  /** Whether the part has its final name already, beside the other one. */
  boolean isPublished() {
    Object part = Claim.key(part());
    return part != null && part.equals(Claim.key(path));
  }

  /**
   * Gives the part its final name.
   *
   * @throws FileAlreadyExistsException if the name is taken and must not be
   */
  void publish() throws IOException {
    if (isPublished()) {
      Files.delete(part());
    } else if (writeMode == WriteMode.CREATE) {
      takeName();
    } else {
      Files.move(part(), path, ATOMIC_MOVE, REPLACE_EXISTING);
    }
    forceFolder();
  }

  /** A link to an existing name fails, where a rename would replace the other file. */
  private void takeName() throws IOException {
    try {
      Files.createLink(path, part());
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // A file system without hard links: the check and the rename are two steps there.
      Files.move(part(), path);
      return;
    }
    Files.delete(part());
  }

  /** Makes names last, where the operating system can. */
  void forceFolder() throws IOException {
    Path folder = path.getParent();
    if (!force || folder == null) {
      return;
    }
    FileChannel open;
    try {
      open = FileChannel.open(folder, StandardOpenOption.READ);
    } catch (IOException e) {
      // Windows opens no folders, and keeps names without being asked.
      return;
    }
    try (open) {
      open.force(true);
    }
  }
}
