package dev.drover.connectors.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.drover.formats.EncodedBytes;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written by this run alone: a lock of the operating system is on it while it is
 * open. Writes go to its end as it is known here, so a write that failed is overwritten by the next
 * one.
 */
final class OutputFile implements Closeable {

  /** The JDK copies an array to native memory of the same size before it writes; this bounds it. */
  private static final int MAX_WRITE_BYTES = 512 << 10;

  /** What is looked at, at either end, to see whether somebody has changed the file. */
  private static final int SAMPLE_BYTES = 4096;

  private static final int OPEN_ATTEMPTS = 10;

  private final Path path;
  private final FileChannel channel;
  private final boolean created;
  private long end;
  private boolean torn;

  private OutputFile(Path path, FileChannel channel, boolean created) throws IOException {
    this.path = path;
    this.channel = channel;
    this.created = created;
    this.end = channel.size();
  }

  /**
   * Opens a file, which is made if it is not there.
   *
   * @param target what to name if another run has it
   * @throws DroverException with {@link ErrorCode#TARGET_BUSY}
   */
  static OutputFile open(Path path, Path target) throws IOException {
    // The lock is on the file, not on its name: between opening and locking another run may have
    // finished and renamed what was opened here, so the name is checked again.
    for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
      boolean created = !Files.exists(path, NOFOLLOW_LINKS);
      FileChannel opened = FileChannel.open(path, CREATE, READ, WRITE, NOFOLLOW_LINKS);
      boolean ours = false;
      try {
        Object before = FileSource.identity(path);
        lock(opened, target);
        ours = before != null && Objects.equals(before, FileSource.identity(path));
        if (ours) {
          return new OutputFile(path, opened, created);
        }
      } finally {
        if (!ours) {
          opened.close();
        }
      }
    }
    throw busy(target);
  }

  /**
   * Locks a file that is there and is to be replaced, whatever other names it has.
   *
   * @return null if it is not there or cannot be opened for writing: then nobody appends to it
   */
  static @Nullable FileChannel lockExisting(Path path) throws IOException {
    FileChannel opened;
    try {
      opened = FileChannel.open(path, READ, WRITE);
    } catch (IOException e) {
      return null;
    }
    boolean locked = false;
    try {
      lock(opened, path);
      locked = true;
      return opened;
    } finally {
      if (!locked) {
        opened.close();
      }
    }
  }

  private static void lock(FileChannel channel, Path target) throws IOException {
    try {
      if (channel.tryLock() == null) {
        throw busy(target);
      }
    } catch (OverlappingFileLockException e) {
      throw busy(target);
    }
  }

  private static DroverException busy(Path target) {
    return new DroverException(
        new Problem(
            ErrorCode.TARGET_BUSY,
            "",
            "another run is writing " + target,
            "wait for it or stop it, or write to another file"));
  }

  /** Whether it was not there before. */
  boolean created() {
    return created;
  }

  long length() {
    return end;
  }

  void write(EncodedBytes rows) throws IOException {
    write(ByteBuffer.wrap(rows.array(), 0, rows.length()));
  }

  /** Writes at the end; after a failure the end is where it was. */
  void write(ByteBuffer buffer) throws IOException {
    int from = buffer.position();
    int to = buffer.limit();
    torn = true;
    int at = from;
    while (at < to) {
      buffer.limit(Math.min(to, at + MAX_WRITE_BYTES)).position(at);
      at += channel.write(buffer, end + at - from);
    }
    end += to - from;
    torn = false;
  }

  /** What lies beyond the known end goes. */
  void trim() throws IOException {
    if (torn) {
      channel.truncate(end);
      torn = false;
    }
  }

  /** Makes it shorter. */
  void truncate(long length) throws IOException {
    channel.truncate(length);
    end = length;
    torn = false;
  }

  /** Waits until the disk has it. */
  void force() throws IOException {
    channel.force(false);
  }

  /** Where the last line begins that has no line feed; the end if there is none. */
  long tornLine() throws IOException {
    byte[] block = new byte[SAMPLE_BYTES];
    long to = end;
    while (to > 0) {
      int length = (int) Math.min(block.length, to);
      read(block, length, to - length);
      for (int i = length - 1; i >= 0; i--) {
        if (block[i] == '\n') {
          return to - length + i + 1;
        }
      }
      to -= length;
    }
    return 0;
  }

  /** Tells the first so many bytes from others: their two ends, hashed. */
  String sample(long length) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] block = new byte[SAMPLE_BYTES];
    int count = (int) Math.min(SAMPLE_BYTES, length);
    read(block, count, 0);
    crc.update(block, 0, count);
    read(block, count, length - count);
    crc.update(block, 0, count);
    return Long.toHexString(crc.getValue());
  }

  private void read(byte[] into, int length, long from) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        throw new IOException(path + " has become shorter");
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
