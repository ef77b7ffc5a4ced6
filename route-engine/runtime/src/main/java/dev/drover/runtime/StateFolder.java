package dev.drover.runtime;

import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder in which Drover remembers what must outlive a process: {@code checkpoints}, {@code
 * locks}, {@code routes} and {@code history}. Made on first use, for its owner alone. Several
 * processes may share it.
 */
public final class StateFolder implements CheckpointStore {

  /** Names the folder; without it the state home of the XDG base directories is used. */
  public static final String VARIABLE = "DROVER_STATE_DIR";

  private static final String SUFFIX = ".checkpoint";

  private final Path root;

  /** Parts that are there. */
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  public StateFolder(Path root) {
    this.root = root;
  }

  /** The folder that the environment names. */
  public static StateFolder of(Map<String, String> environment) {
    String named = environment.getOrDefault(VARIABLE, "");
    if (!named.isEmpty()) {
      return new StateFolder(Path.of(named).toAbsolutePath());
    }
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    if (!state.isEmpty() && Path.of(state).isAbsolute()) {
      return new StateFolder(Path.of(state, "drover"));
    }
    String home = environment.getOrDefault("HOME", System.getProperty("user.home", ""));
    return new StateFolder(Path.of(home, ".local", "state", "drover").toAbsolutePath());
  }

  public Path root() {
    return root;
  }

  /** A part of the folder, which is made if it is not there. */
  public Path folder(String name) {
    Path folder = root.resolve(name);
    if (made.contains(name)) {
      return folder;
    }
    try {
      if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectories(folder);
      }
      made.add(name);
      return folder;
    } catch (IOException e) {
      throw failed("making", folder, e);
    }
  }

  @Override
  public Hold hold(String id) {
    FileLock lock = lock(id);
    if (lock == null) {
      throw new DroverException(
          new Problem(
              ErrorCode.TARGET_BUSY,
              "",
              "another run of this route is going on; it holds the checkpoint " + id,
              "wait for it or stop it"));
    }
    return () -> unlock(lock);
  }

  /**
   * Takes an operating system lock of this name.
   *
   * @return null if somebody else has it, in this process or another
   */
  public @Nullable FileLock lock(String name) {
    Path file = folder("locks").resolve(name + ".lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = null;
      try {
        lock = channel.tryLock();
      } catch (OverlappingFileLockException e) {
        // Held by this process.
      }
      if (lock == null) {
        channel.close();
      }
      return lock;
    } catch (IOException e) {
      throw failed("locking", file, e);
    }
  }

  /** Gives a lock free. Its file stays: removing it would let two processes hold one name. */
  public static void unlock(FileLock lock) {
    try {
      lock.acquiredBy().close();
    } catch (IOException e) {
      // The process's end does it then.
    }
  }

  @Override
  public @Nullable Checkpoint load(String id) {
    Path file = file(id);
    try {
      return Checkpoint.parse(Files.readString(file), file.toString());
    } catch (NoSuchFileException e) {
      return null;
    } catch (java.nio.charset.CharacterCodingException e) {
      return Checkpoint.parse("", file.toString());
    } catch (IOException e) {
      throw failed("reading", file, e);
    }
  }

  @Override
  public void save(Checkpoint checkpoint) {
    write(folder("checkpoints").resolve(checkpoint.id() + SUFFIX), checkpoint.text());
  }

  /** Writes a file of the state folder as a whole. */
  public static void write(Path file, String text) {
    Path next = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try (FileChannel channel =
          FileChannel.open(
              next,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        // Else a power cut may leave the new name with nothing behind it.
        channel.force(false);
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failed("writing", file, e);
    }
  }

  @Override
  public boolean remove(String id) {
    Path file = file(id);
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failed("removing", file, e);
    }
  }

  @Override
  public List<String> ids() {
    Path folder = root.resolve("checkpoints");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw failed("reading", folder, e);
    }
  }

  private Path file(String id) {
    return root.resolve("checkpoints").resolve(id + SUFFIX);
  }

  private static DroverException failed(String doing, Path path, IOException e) {
    return new DroverException(
        new Problem(
            ErrorCode.IO_ERROR,
            "",
            "%s %s failed: %s".formatted(doing, path, e.getMessage()),
            "make the folder writable, or name another one in " + VARIABLE),
        e);
  }
}
