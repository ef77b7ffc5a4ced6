package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file that may grow, and may be emptied and filled again under the reader. It remembers bytes
 * that it has given out, its first ones and its last ones, and sees each time whether they are
 * still there.
 */
final class Followed implements AutoCloseable {

  private final FileChannel channel;
  private final PlainContent content;
  private Stat stat;

  /** How many bytes were given out. */
  private long place;

  private byte[] head = new byte[0];
  private byte[] tail = new byte[0];
  private int headHash;
  private int hashed = -1;

  private Followed(FileChannel channel, Stat stat) {
    this.channel = channel;
    this.content = new PlainContent(channel);
    this.stat = stat;
  }

  /** Null if there is no regular file, or it has just been put in the place of another. */
  static @Nullable Followed open(Path path) throws IOException {
    Stat before = Stat.of(path);
    if (before == null || !before.isRegular()) {
      return null;
    }
    FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
    Stat after = Stat.of(path);
    if (after == null || !after.isSame(before)) {
      opened.close();
      return null;
    }
    return new Followed(opened, after);
  }

  FileChannel channel() {
    return channel;
  }

  /** As it was when it was last looked at by a name. */
  Stat stat() {
    return stat;
  }

  void seen(Stat now) {
    stat = now;
  }

  long place() {
    return place;
  }

  /** Goes on at a place, taking what is before it for given out. */
  void goOn(long from) throws IOException {
    place = from;
    head = FileMark.read(channel, 0, (int) Math.min(from, FileMark.HEAD_BYTES));
    int last = (int) Math.min(from, FileMark.TAIL_BYTES);
    tail = FileMark.read(channel, from - last, last);
    hashed = -1;
    channel.position(from);
  }

  /**
   * Gives what has come since the last call.
   *
   * @return how many bytes; -1 if what was given out is not there any more
   */
  int fill(Feed feed) throws IOException {
    int read = feed.fill(content);
    if (channel.size() < place + read || !isAsBefore()) {
      feed.unread(read);
      return -1;
    }
    if (read > 0) {
      remember(feed.block(), feed.filled() - read, read);
      place += read;
    }
    return read;
  }

  private boolean isAsBefore() throws IOException {
    return Arrays.equals(head, FileMark.read(channel, 0, head.length))
        && Arrays.equals(tail, FileMark.read(channel, place - tail.length, tail.length));
  }

  private void remember(byte[] block, int from, int count) {
    if (head.length < FileMark.HEAD_BYTES) {
      head = joined(head, block, from, Math.min(count, FileMark.HEAD_BYTES - head.length));
    }
    int fresh = Math.min(count, FileMark.TAIL_BYTES);
    int kept = Math.min(tail.length, FileMark.TAIL_BYTES - fresh);
    byte[] last = Arrays.copyOfRange(tail, tail.length - kept, tail.length);
    tail = joined(last, block, from + count - fresh, fresh);
  }

  private static byte[] joined(byte[] first, byte[] block, int from, int count) {
    byte[] all = Arrays.copyOf(first, first.length + count);
    System.arraycopy(block, from, all, first.length, count);
    return all;
  }

  /** The mark of the place where all that was given out ends. */
  FileMark mark() {
    return new FileMark(stat.inode(), head.length, headHash(), tail.length, FileMark.hash(tail));
  }

  /**
   * The mark of a place before that.
   *
   * @param from where in the block that ends there to begin
   */
  FileMark mark(byte[] block, int from, int to) {
    int first = Math.max(from, to - FileMark.TAIL_BYTES);
    return new FileMark(
        stat.inode(), head.length, headHash(), to - first, FileMark.hash(block, first, to));
  }

  private int headHash() {
    if (hashed != head.length) {
      headHash = FileMark.hash(head);
      hashed = head.length;
    }
    return headHash;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was only read from.
    }
  }
}
