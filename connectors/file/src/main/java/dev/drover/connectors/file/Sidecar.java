package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The file beside a target that holds its checkpoint; always whole, never followed as a link. */
final class Sidecar {

  /** Far more than any checkpoint; a larger file is something else. */
  private static final long MAX_BYTES = 64 << 20;

  private final Target target;

  /** What the file was like after it was saved last. */
  private @Nullable Object saved;

  Sidecar(Target target) {
    this.target = target;
  }

  /**
   * Reads it.
   *
   * @return null if there is none
   * @throws DroverException checkpoint_broken if it is not whole
   */
  @Nullable Committed load() {
    Path path = target.sidecar();
    try (FileChannel channel = FileChannel.open(path, READ, NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), MAX_BYTES));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until all are there.
      }
      return Committed.parse(text(bytes.flip()), path);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  private static String text(ByteBuffer bytes) {
    try {
      return UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      return "";
    }
  }

  /** Puts another one in its place, in one step. */
  void save(Committed committed) throws IOException {
    Path next = target.nextSidecar();
    try (FileChannel channel = create(next)) {
      ByteBuffer bytes = ByteBuffer.wrap(committed.text().getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      if (target.force()) {
        channel.force(false);
      }
    }
    Files.move(next, target.sidecar(), ATOMIC_MOVE, REPLACE_EXISTING);
    saved = state();
    target.forceFolder();
  }

  private static FileChannel create(Path next) throws IOException {
    try {
      return FileChannel.open(next, CREATE_NEW, WRITE);
    } catch (FileAlreadyExistsException e) {
      // Left by a process that was killed.
      Files.delete(next);
      return FileChannel.open(next, CREATE_NEW, WRITE);
    }
  }

  /** Fails if the file is not the one that was saved last. */
  void check() {
    if (saved == null || !saved.equals(state())) {
      throw new DroverException(
          new Problem(
              ErrorCode.FENCED,
              "",
              "the checkpoint %s was moved by somebody else while this run was going on"
                  .formatted(target.sidecar()),
              "see that only one run writes %s, then start it again".formatted(target.path())));
    }
  }

  private @Nullable Object state() {
    try {
      BasicFileAttributes now =
          Files.readAttributes(target.sidecar(), BasicFileAttributes.class, NOFOLLOW_LINKS);
      return List.of(
          String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size(), now.isRegularFile());
    } catch (IOException e) {
      return null;
    }
  }

  void remove() throws IOException {
    Files.deleteIfExists(target.nextSidecar());
    Files.deleteIfExists(target.sidecar());
  }
}
