package dev.drover.connectors.file;

import dev.drover.formats.Compression;
import dev.drover.formats.Decompressor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An open file that grows at its end. What a failed write has left there is taken back. */
final class Output implements Bytes {

  /** The JDK copies an array to native memory of the same size before it writes; this bounds it. */
  private static final int MAX_WRITE_BYTES = 512 << 10;

  private static final int LOOK_BACK_BYTES = 64 << 10;

  private static final byte[] LINE_FEED = {'\n'};

  private final Path path;
  private final FileChannel channel;
  private long end;
  private boolean torn;
  private boolean lineFeedDue;

  /** Goes on where the file ends. */
  Output(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.end = channel.size();
  }

  Path path() {
    return path;
  }

  /** The bytes that were written for sure. */
  @Override
  public long end() {
    return end;
  }

  /** All of the bytes or, if it fails, none. */
  @Override
  public void write(byte[] bytes, int length) throws IOException {
    takeBack();
    if (lineFeedDue) {
      lineFeedDue = false;
      put(LINE_FEED, 1);
    }
    put(bytes, length);
  }

  private void put(byte[] bytes, int length) throws IOException {
    torn = true;
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.position() < length) {
      buffer.limit(Math.min(length, buffer.position() + MAX_WRITE_BYTES));
      channel.write(buffer, end + buffer.position());
    }
    torn = false;
    end += length;
  }

  private void takeBack() throws IOException {
    if (torn) {
      channel.truncate(end);
      torn = false;
    }
  }

  /** Lets the file end at what was written for sure, and on the disk if that is wanted. */
  void settle(boolean force) throws IOException {
    takeBack();
    if (force) {
      channel.force(true);
    }
  }

  void cut(long length) throws IOException {
    channel.truncate(length);
    end = length;
    torn = false;
  }

  /** Cuts off what follows the last line end, but nothing before {@code least}. */
  void cutTornLine(long least) throws IOException {
    long keep = end;
    ByteBuffer bytes = ByteBuffer.allocate(LOOK_BACK_BYTES);
    while (keep > least) {
      long from = Math.max(least, keep - LOOK_BACK_BYTES);
      bytes.clear().limit((int) (keep - from));
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        // Until all are there.
      }
      int last = bytes.position();
      while (last > 0 && bytes.get(last - 1) != '\n') {
        last--;
      }
      keep = from + last;
      if (last > 0) {
        break;
      }
    }
    if (keep < end) {
      cut(keep);
    }
  }

  /** What the file holds from a member's beginning on. */
  Members members(long from, Compression kind) throws IOException {
    return Members.read(channel, from, kind);
  }

  /**
   * Fails if lines would be added to compressed ones, which nobody could read any more.
   *
   * @throws DroverException target_changed
   */
  void checkPlain() throws IOException {
    byte[] head = FileMark.read(channel, 0, Compression.MAGIC_BYTES);
    Compression kind = Compression.ofHead(head, head.length);
    if (kind != Compression.NONE) {
      throw FileErrors.cannotAdd(
          path,
          "it is compressed with " + kind.wire(),
          "set compression to %s, or write to another file".formatted(kind.wire()));
    }
  }

  /** If the last line has no end, gives it one before the first row. */
  void beginOnALine() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    lineFeedDue = end > 0 && channel.read(last, end - 1) == 1 && last.get(0) != '\n';
  }

  /** How the file begins: so many bytes, or all there are. */
  byte[] start(int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, end));
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
      // Until all are there.
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /**
   * Fills an array with how what is compressed in the file begins.
   *
   * @return how many bytes there are
   */
  int unpacked(Compression kind, byte[] into) throws IOException {
    if (end == 0) {
      return 0;
    }
    long[] at = {0};
    try (Decompressor content =
        new Decompressor(
            (bytes, from, length) -> {
              int read = channel.read(ByteBuffer.wrap(bytes, from, length), at[0]);
              at[0] += Math.max(0, read);
              return read;
            },
            Decompressor.Settings.of(kind, ""))) {
      int count = 0;
      int read = 0;
      while (count < into.length && read >= 0) {
        read = content.read(into, count, into.length - count);
        count += Math.max(0, read);
      }
      return count;
    }
  }

  /** What is there now. */
  Extent extent(@Nullable Extent before) throws IOException {
    return Extent.of(channel, end, before);
  }
}
