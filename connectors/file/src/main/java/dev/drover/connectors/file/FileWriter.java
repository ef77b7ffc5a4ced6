package dev.drover.connectors.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.drover.connectors.file.FileSinkConfig.WriteMode;
import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.spi.Buffers;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Writes {@code NAME.part}, holding a lock on it, and renames it at the end. */
final class FileWriter implements SinkWriter {

  private static final CompletionStage<Written> DONE =
      CompletableFuture.completedStage(Written.ALL);

  /** The JDK copies an array to native memory of the same size before it writes; this bounds it. */
  private static final int MAX_WRITE_BYTES = 512 << 10;

  private static final int OPEN_ATTEMPTS = 10;

  private final Path path;
  private final Path part;
  private final String format;
  private final WriteMode writeMode;
  private final Buffers buffers;
  private @Nullable FileChannel channel;

  FileWriter(Path path, String format, WriteMode writeMode, Buffers buffers) {
    this.path = path;
    this.part = path.resolveSibling(path.getFileName() + ".part");
    this.format = format;
    this.writeMode = writeMode;
    this.buffers = buffers;
  }

  @Override
  public Map<Split, Offset> restore() {
    try {
      channel = openLocked();
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", part);
    }
    return Map.of();
  }

  /**
   * The lock is on the file, not on its name: between opening and locking another run may have
   * finished and renamed what was opened here, so the name is checked again.
   */
  private FileChannel openLocked() throws IOException {
    for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
      FileChannel opened = FileChannel.open(part, CREATE, WRITE, NOFOLLOW_LINKS);
      Object before = FileSource.identity(part);
      boolean ours = false;
      try {
        if (opened.tryLock() == null) {
          throw busy();
        }
        ours = before != null && Objects.equals(before, FileSource.identity(part));
        if (ours) {
          opened.truncate(0);
          return opened;
        }
      } catch (OverlappingFileLockException e) {
        throw busy();
      } finally {
        if (!ours) {
          opened.close();
        }
      }
    }
    throw busy();
  }

  private DroverException busy() {
    return new DroverException(
        new Problem(
            ErrorCode.TARGET_BUSY,
            "",
            "another run is writing " + path,
            "wait for it or stop it, or write to another file"));
  }

  @Override
  public Encoder encoder(Schema schema) {
    return Formats.encoder(format, schema, buffers);
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    EncodedBytes bytes = (EncodedBytes) rows;
    FileChannel open = opened();
    ByteBuffer buffer = ByteBuffer.wrap(bytes.array(), 0, bytes.length());
    try {
      while (buffer.position() < bytes.length()) {
        buffer.limit(Math.min(bytes.length(), buffer.position() + MAX_WRITE_BYTES));
        open.write(buffer);
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", part);
    }
    return DONE;
  }

  private FileChannel opened() {
    if (channel == null) {
      throw new IllegalStateException("restore has not been called");
    }
    return channel;
  }

  @Override
  public void commit(Map<Split, Offset> upTo) {
    // The bytes are with the operating system; the name comes with finish.
  }

  @Override
  public Destination finish() {
    try {
      boolean replaced = Files.exists(path, NOFOLLOW_LINKS);
      if (writeMode == WriteMode.CREATE) {
        takeName();
      } else {
        replace();
      }
      opened().close();
      return new Destination(path.toString(), replaced);
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", path);
    }
  }

  /**
   * Freeing a large file takes the operating system long, some 0.5 ms a MiB; it does so when the
   * last handle is closed, and the run need not wait for that.
   */
  private void replace() throws IOException {
    FileChannel old = openOld();
    Files.move(part, path, ATOMIC_MOVE, REPLACE_EXISTING);
    if (old != null) {
      Thread.ofPlatform().daemon().name("drover-free").start(() -> closeOld(old));
    }
  }

  private @Nullable FileChannel openOld() {
    try {
      return FileChannel.open(path, READ);
    } catch (IOException e) {
      // Not there, or not readable: then the rename frees it.
      return null;
    }
  }

  private static void closeOld(FileChannel old) {
    try {
      old.close();
    } catch (IOException e) {
      // It was only read from, and has no name any more.
    }
  }

  /** A link to an existing name fails, where a rename would replace the other file. */
  private void takeName() throws IOException {
    try {
      Files.createLink(path, part);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // A file system without hard links: the check and the rename are two steps there.
      Files.move(part, path);
      return;
    }
    Files.delete(part);
  }

  @Override
  public void abort() {
    FileChannel open = channel;
    if (open == null) {
      return;
    }
    try {
      // Removed before the lock is given up, so that it is certainly ours.
      Files.deleteIfExists(part);
      open.close();
    } catch (IOException e) {
      throw FileErrors.of(e, "removing", part);
    }
  }
}
