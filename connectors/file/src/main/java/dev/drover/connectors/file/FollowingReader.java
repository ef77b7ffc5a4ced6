package dev.drover.connectors.file;

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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file that grows, and the file that takes its name after it: whether the old one was
 * renamed, replaced or emptied. A last line without its end waits for the rest, unless its file has
 * come to an end.
 */
final class FollowingReader implements Reader {

  /** How often to look for more. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long a file that has lost its name must have been quiet before it is left. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many files of a folder are looked through for one that was renamed. */
  private static final int MAX_SIBLINGS = 10_000;

  private final Path path;
  private final FormatOptions options;
  private final ReaderScope scope;
  private final Semaphore woken = new Semaphore(0);

  /** Files that were renamed before this reader began, oldest first; the path comes after them. */
  private final Deque<Path> renamed = new ArrayDeque<>();

  private @Nullable Split split;
  private @Nullable FileBlocks blocks;

  /** The file that is open, under the name that it had then. */
  private Path current;

  private FileMark mark = new FileMark("-", 0, "");
  private long generation;

  /** Since when bytes wait to be handed on; 0: none do. */
  private long newSince;

  /** Since when nothing was added to a file that has lost its name; 0: it has not. */
  private long quietSince;

  FollowingReader(Path path, FormatOptions options, ReaderScope scope) {
    this.path = path;
    this.current = path;
    this.options = options;
    this.scope = scope;
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    split = assigned;
    try {
      if (from == null) {
        open(path, 0);
      } else {
        goOn((FileOffset) from);
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  private void goOn(FileOffset from) throws IOException {
    FileMark wanted = from.mark();
    generation = from.generation();
    if (wanted == null || wanted.isAt(path)) {
      if (Files.size(path) >= from.bytes()) {
        open(path, from.bytes());
        return;
      }
      scope.warn(path + " was emptied since it was last read; rows may be lost");
      generation++;
      open(path, 0);
      return;
    }
    if (wanted.inode().equals(FileMark.inode(path))) {
      scope.warn(path + " was overwritten since it was last read; rows may be lost");
      generation++;
      open(path, 0);
      return;
    }
    List<Path> siblings = siblings();
    for (int i = 0; i < siblings.size(); i++) {
      if (wanted.isAt(siblings.get(i))) {
        renamed.addAll(siblings.subList(i + 1, siblings.size()));
        open(siblings.get(i), from.bytes());
        return;
      }
    }
    throw new DroverException(
        new Problem(
            ErrorCode.SOURCE_CHANGED,
            "",
            "%s is another file than the one that was read up to byte %,d, and that one is not in"
                    .formatted(path, from.bytes())
                + " its folder any more; rows of it may be lost",
            "put it back beside the new one; or go on without it with 'drover checkpoint reset'"));
  }

  /** Files whose names begin with that of the path, by the time of their last change. */
  private List<Path> siblings() throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    Path name = path.getFileName();
    if (folder == null || name == null) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files
          .limit(MAX_SIBLINGS)
          .filter(file -> file.getFileName().toString().startsWith(name.toString()))
          .filter(file -> !file.equals(path))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .forEach(found::add);
    }
    List<Timed> timed = new ArrayList<>();
    for (Path file : found) {
      timed.add(new Timed(file, Files.getLastModifiedTime(file).toMillis()));
    }
    timed.sort(Comparator.comparingLong(Timed::millis).thenComparing(Timed::file));
    return timed.stream().map(Timed::file).toList();
  }

  private record Timed(Path file, long millis) {}

  private void open(Path file, long from) throws IOException {
    closeBlocks();
    String before;
    do {
      // Until the name has meant the same file before and after.
      closeBlocks();
      before = FileMark.inode(file);
      blocks = new FileBlocks(file, from, options, scope);
    } while (!before.equals(FileMark.inode(file)));
    current = file;
    mark = FileMark.of(before, blocks.channel());
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    try {
      while (true) {
        Chunk chunk = readNow();
        long left = deadline - System.nanoTime();
        if (chunk != null || left <= 0 || woken.tryAcquire()) {
          return chunk;
        }
        if (woken.tryAcquire(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
          return null;
        }
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private @Nullable Chunk readNow() throws IOException {
    FileBlocks open = blocks;
    if (open == null) {
      // The file is gone, and no other has taken its name yet.
      return Files.exists(path) && openNext() ? readNow() : null;
    }
    long before = open.channel().position();
    boolean full = open.fill();
    boolean grew = open.channel().position() > before;
    if (grew && !mark.beginsLike(open.channel())) {
      // Emptied, and longer again than it was: what was read now is of another file, so to say.
      open.unread(open.channel().position() - before);
      return leave(open);
    }
    if (full) {
      newSince = 0;
      return chunk(open, false);
    }
    quietSince = grew ? 0 : quietSince;
    long now = System.nanoTime();
    if (grew && newSince == 0) {
      newSince = Math.max(1, now);
    }
    if (newSince != 0 && now - newSince >= scope.flushInterval().toNanos()) {
      newSince = 0;
      Chunk chunk = chunk(open, false);
      if (chunk != null) {
        return chunk;
      }
    }
    return grew ? null : lookAround(open);
  }

  private @Nullable Chunk chunk(FileBlocks open, boolean end) throws IOException {
    FileBlocks.Cut cut = open.cut(end);
    Split assigned = split;
    if (cut == null || assigned == null) {
      return null;
    }
    if (mark.headBytes() < FileMark.HEAD_BYTES) {
      mark = FileMark.of(mark.inode(), open.channel());
    }
    FileOffset offset = new FileOffset(generation, cut.end(), mark);
    return new FileChunk(assigned, offset, cut.bytes(), cut.records());
  }

  /** Nothing more came: is this still the file? */
  private @Nullable Chunk lookAround(FileBlocks open) throws IOException {
    boolean last = current.equals(path) && renamed.isEmpty();
    if (last && !wasEmptied(open)) {
      if (!Files.exists(path) || mark.inode().equals(FileMark.inode(path))) {
        return null;
      }
      // Another file has the name; who writes to this one may take a while to notice.
      long now = System.nanoTime();
      quietSince = quietSince == 0 ? Math.max(1, now) : quietSince;
      if (now - quietSince < QUIET_NANOS) {
        return null;
      }
    }
    return leave(open);
  }

  /** Hands on what is left of a file, then goes on with the next. */
  private @Nullable Chunk leave(FileBlocks open) throws IOException {
    Chunk rest = chunk(open, true);
    if (rest != null) {
      return rest;
    }
    closeBlocks();
    return openNext() ? readNow() : null;
  }

  private boolean wasEmptied(FileBlocks open) throws IOException {
    return open.channel().size() < open.channel().position() || !mark.beginsLike(open.channel());
  }

  private boolean openNext() throws IOException {
    Path next = renamed.pollFirst();
    if (next == null && !Files.exists(path)) {
      return false;
    }
    generation++;
    open(next == null ? path : next, 0);
    return true;
  }

  @Override
  public void wakeUp() {
    woken.release();
  }

  private void closeBlocks() throws IOException {
    FileBlocks open = blocks;
    blocks = null;
    newSince = 0;
    quietSince = 0;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    try {
      closeBlocks();
    } catch (IOException e) {
      throw FileErrors.of(e, "closing", path);
    }
  }
}
