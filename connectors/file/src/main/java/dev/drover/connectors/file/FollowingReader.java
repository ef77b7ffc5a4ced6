package dev.drover.connectors.file;

import dev.drover.formats.Compression;
import dev.drover.formats.FormatOptions;
import dev.drover.spi.Chunk;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file that grows, and the files that take its name one after the other. Each of them is a
 * generation, with a header of its own; one that is emptied in place begins the next too.
 *
 * <p>That a file was emptied and filled again is known by its bytes. If nothing but a header was
 * read of it, and the same header stands there again, it cannot be known.
 */
final class FollowingReader implements Reader {

  /** How long to wait between two looks at a file that does not grow. */
  private static final Duration LOOK = Duration.ofMillis(50);

  /**
   * How long a file that has lost its name must stay as it is before it counts as complete: who
   * writes it may still have it open.
   */
  private static final Duration SETTLE = Duration.ofMillis(500);

  /** A byte-order mark, which the record reader paints over. */
  private static final int MARK_BYTES = 3;

  private final Path path;
  private final ReaderScope scope;
  private final Feed feed;
  private final Rotation rotation;
  private final boolean looksForMagic;
  private final Semaphore waker = new Semaphore(0);

  private @Nullable Split split;

  /** Null while the name is free. */
  private @Nullable Followed file;

  private long generation;

  /** Whether the file was emptied, and what it gave before is still to be handed on. */
  private boolean emptied;

  private boolean hasNews;
  private long lastNewsNanos;
  private boolean lostName;
  private long lostNameNanos;

  /**
   * @param looksForMagic whether a file that turns out to be compressed is refused
   */
  FollowingReader(Path path, FormatOptions options, ReaderScope scope, boolean looksForMagic) {
    this.looksForMagic = looksForMagic;
    this.path = path;
    this.scope = scope;
    this.feed = new Feed(options, scope);
    this.rotation = new Rotation(path, scope.access());
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "",
              path + " is no regular file, so it cannot be followed",
              "set exit_on_empty to true: it is read until its other side closes it"));
    }
    split = assigned;
    try {
      if (from == null) {
        begin(rotation.current());
      } else {
        goOn((FileOffset) from);
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  private void begin(@Nullable Followed next) {
    file = next;
    lostName = false;
    hasNews = false;
    feed.begin();
  }

  private void goOn(FileOffset from) throws IOException {
    FileMark mark = from.mark();
    Followed found = mark == null ? rotation.current() : rotation.find(mark, from.bytes());
    if (found == null) {
      throw FileErrors.sourceChanged(
          path, "the file %s that was read up to byte %,d is gone".formatted(path, from.bytes()));
    }
    begin(found);
    generation = from.generation();
    long size = found.channel().size();
    if (size < from.bytes()) {
      throw FileErrors.sourceChanged(
          path, "%s has %,d bytes, and %,d were read".formatted(path, size, from.bytes()));
    }
    feed.begin(new PlainContent(found.channel()), from.bytes(), false);
    found.goOn(from.bytes());
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    Split current = split;
    if (current == null) {
      return null;
    }
    try {
      Chunk chunk = look(current);
      if (chunk == null && pause(wait)) {
        chunk = look(current);
      }
      return chunk;
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  private @Nullable Chunk look(Split current) throws IOException {
    while (true) {
      Followed open = file;
      if (open == null) {
        open = rotation.current();
        if (open == null) {
          return null;
        }
        begin(open);
      }
      int read = emptied ? 0 : open.fill(feed);
      if (read < 0) {
        whenEmptied(open);
        continue;
      }
      if (emptied) {
        if (!feed.isEmpty()) {
          return chunk(current, open, true);
        }
        beginAgain(open);
        continue;
      }
      if (read > 0) {
        checkPlain();
        hasNews = true;
        lastNewsNanos = scope.access().nanoTime();
      }
      if (feed.isFull()) {
        Chunk chunk = chunk(current, open, false);
        if (chunk != null) {
          return chunk;
        }
        feed.grow();
        continue;
      }
      Chunk chunk = atEnd(current, open);
      if (chunk != null || file == open || file == null) {
        return chunk;
      }
    }
  }

  /** Members are not whole, and have no place to go on from, before their end is written. */
  static DroverException compressed(Path path, Compression kind) {
    return new DroverException(
        new Problem(
            ErrorCode.NOT_SUPPORTED,
            "",
            "%s is compressed with %s, so it cannot be followed: what is there cannot be read before"
                    .formatted(path, kind.wire())
                + " more of it is written",
            "set exit_on_empty to true, which reads it to its end"));
  }

  private void checkPlain() {
    if (looksForMagic && feed.offset() == 0) {
      Compression kind = Compression.ofHead(feed.block(), feed.filled());
      if (kind != Compression.NONE) {
        throw compressed(path, kind);
      }
    }
  }

  /** The file gives no more for now. */
  private @Nullable Chunk atEnd(Split current, Followed open) throws IOException {
    long now = scope.access().nanoTime();
    if (hasNews && now - lastNewsNanos >= scope.flushInterval().toNanos()) {
      hasNews = false;
      Chunk chunk = chunk(current, open, false);
      if (chunk != null) {
        return chunk;
      }
    }
    if (!isComplete(open, now)) {
      return null;
    }
    if (!feed.isEmpty()) {
      return chunk(current, open, true);
    }
    Followed next = rotation.after(open);
    if (next != null) {
      generation++;
      open.close();
      begin(next);
    }
    return null;
  }

  /** Whether another file has the name, and rows, and this one has not grown for a while. */
  private boolean isComplete(Followed open, long now) {
    Stat named = Stat.of(path);
    if (named != null && named.isSame(open.stat())) {
      open.seen(named);
      lostName = false;
      return false;
    }
    if (named == null || named.size() == 0) {
      return false;
    }
    if (!lostName) {
      lostName = true;
      lostNameNanos = now;
    }
    long settle = SETTLE.toNanos();
    return now - lostNameNanos >= settle && now - lastNewsNanos >= settle;
  }

  /**
   * What was read is not in the file any more. A copy that was made before has what was not read
   * yet.
   */
  private void whenEmptied(Followed open) throws IOException {
    Followed copy = rotation.copyOf(open);
    if (copy == null) {
      emptied = true;
      return;
    }
    copy.goOn(open.place());
    open.close();
    file = copy;
  }

  private void beginAgain(Followed open) throws IOException {
    emptied = false;
    generation++;
    open.goOn(0);
    begin(open);
  }

  /**
   * @param complete whether the last record needs no line end
   */
  private @Nullable Chunk chunk(Split current, Followed open, boolean complete) {
    int border = feed.cut(complete);
    if (border == 0) {
      return null;
    }
    int from = feed.offset() == 0 ? Math.min(MARK_BYTES, border) : 0;
    FileOffset end =
        new FileOffset(generation, feed.offset() + border, open.mark(feed.block(), from, border));
    return feed.chunk(current, border, end);
  }

  /** False if there is no time to wait, or no sense in looking again. */
  private boolean pause(Duration wait) {
    Duration most = LOOK;
    if (hasNews && !feed.isEmpty() && scope.flushInterval().compareTo(most) < 0) {
      most = scope.flushInterval();
    }
    if (wait.compareTo(most) < 0) {
      most = wait;
    }
    try {
      boolean woken = waker.tryAcquire(Math.max(0, most.toNanos()), TimeUnit.NANOSECONDS);
      waker.drainPermits();
      return !woken;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void wakeUp() {
    waker.release();
  }

  @Override
  public void close() {
    split = null;
    feed.close();
    Followed open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
