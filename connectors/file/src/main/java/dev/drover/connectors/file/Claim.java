package dev.drover.connectors.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.drover.spi.DroverException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sole right to write a file, by whatever name it is reached: a lock of the operating system on
 * the file itself, and an entry in this process.
 *
 * <p>The entry is looked at first. An operating system may drop all locks that a process has on a
 * file as soon as it closes the file once, so a claim that is refused must not even open it.
 */
final class Claim implements AutoCloseable {

  private static final int ATTEMPTS = 10;

  /** Keys of files claimed by this process; guarded by itself. */
  private static final Set<Object> HELD = new HashSet<>();

  private final Path path;
  private final Object key;
  private final @Nullable FileChannel channel;
  private final boolean created;

  private Claim(Path path, Object key, @Nullable FileChannel channel, boolean created) {
    this.path = path;
    this.key = key;
    this.channel = channel;
    this.created = created;
  }

  /** What is the same for two names of a file, links not followed; null if there is no file. */
  static @Nullable Object key(Path path) {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS).fileKey();
      return key == null ? path.toRealPath() : key;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Claims a file that must be there.
   *
   * @param target what the run writes, for the error
   * @return null if there is none
   * @throws DroverException target_busy if somebody else has it
   */
  static @Nullable Claim existing(Path path, Path target) {
    return take(path, target, false);
  }

  /** Claims a file, which is made if it is not there. */
  static Claim of(Path path, Path target) {
    Claim claim = take(path, target, true);
    if (claim == null) {
      throw FileErrors.busy(target);
    }
    return claim;
  }

  private static @Nullable Claim take(Path path, Path target, boolean create) {
    try {
      synchronized (HELD) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
          boolean created = create && make(path);
          Object key = key(path);
          if (key == null && !create) {
            return null;
          }
          Claim claim = key == null ? null : lock(path, target, key, created);
          if (claim != null) {
            return claim;
          }
        }
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", path);
    }
    throw FileErrors.busy(target);
  }

  private static boolean make(Path path) throws IOException {
    if (Files.exists(path, NOFOLLOW_LINKS)) {
      return false;
    }
    try {
      Files.createFile(path);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * The lock is on the file, not on its name: between the look and the lock another run may have
   * renamed it, so the name is checked again. Null if that has happened.
   */
  private static @Nullable Claim lock(Path path, Path target, Object key, boolean created)
      throws IOException {
    if (!HELD.add(key)) {
      throw FileErrors.busy(target);
    }
    FileChannel opened = null;
    boolean ours = false;
    try {
      opened = FileChannel.open(path, READ, WRITE, NOFOLLOW_LINKS);
      if (opened.tryLock() == null) {
        throw FileErrors.busy(target);
      }
      ours = key.equals(key(path));
      return ours ? new Claim(path, key, opened, created) : null;
    } catch (OverlappingFileLockException e) {
      throw FileErrors.busy(target);
    } catch (NoSuchFileException e) {
      return null;
    } catch (AccessDeniedException e) {
      // It can be replaced all the same, and nobody else of this user writes into it.
      ours = true;
      return new Claim(path, key, null, created);
    } finally {
      if (!ours) {
        HELD.remove(key);
        if (opened != null) {
          opened.close();
        }
      }
    }
  }

  /** Open for reading and writing. */
  FileChannel channel() {
    if (channel == null) {
      throw FileErrors.of(new AccessDeniedException(path.toString()), "writing", path);
    }
    return channel;
  }

  /** Whether the claim has made the file. */
  boolean created() {
    return created;
  }

  /** Whether the name still leads to the file. */
  boolean isAt(Path name) {
    return key.equals(key(name));
  }

  @Override
  public void close() {
    try {
      synchronized (HELD) {
        HELD.remove(key);
        if (channel != null) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "closing", path);
    }
  }

  /**
   * As {@link #close}, for a file that has no name any more. Freeing a large one takes the
   * operating system long, some 0.5 ms a MiB; it does so when the last handle is closed, and the
   * run need not wait for that.
   */
  void closeLater() {
    synchronized (HELD) {
      HELD.remove(key);
    }
    FileChannel open = channel;
    if (open != null) {
      Thread.ofPlatform().daemon().name("drover-free").start(() -> closeQuietly(open));
    }
  }

  private static void closeQuietly(FileChannel open) {
    try {
      open.close();
    } catch (IOException e) {
      // Nothing was written to it, and it has no name any more.
    }
  }
}
