package dev.drover.bench.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** A folder for large files that is gone after use, also when the program is interrupted. */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Thread hook = new Thread(this::removeQuietly, "remove-temporary-folder");

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /** Makes a new folder in the system's temporary one. */
  public static TemporaryFolder create(String prefix) throws IOException {
    return create(Path.of(System.getProperty("java.io.tmpdir")), prefix);
  }

  /**
   * Makes a new folder in {@code parent}, which must exist. Its name is short, because clients send
   * it over and over.
   */
  public static TemporaryFolder create(Path parent, String prefix) throws IOException {
    Path real = parent.toRealPath();
    while (true) {
      int drawn = ThreadLocalRandom.current().nextInt(36 * 36 * 36 * 36);
      Path path = real.resolve(prefix + "-" + Integer.toString(drawn, 36));
      try {
        Files.createDirectory(path);
      } catch (FileAlreadyExistsException e) {
        continue;
      }
      TemporaryFolder folder = new TemporaryFolder(path);
      Runtime.getRuntime().addShutdownHook(folder.hook);
      return folder;
    }
  }

  /** The folder, without symbolic links in its path. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(hook);
    remove();
  }

  private void removeQuietly() {
    try {
      remove();
    } catch (IOException | UncheckedIOException e) {
      System.err.println("drover: could not remove " + path + ": " + e.getMessage());
    }
  }

  private void remove() throws IOException {
    List<Path> inside;
    try (Stream<Path> walk = Files.walk(path)) {
      inside = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : inside) {
      Files.deleteIfExists(each);
    }
  }
}
