package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint beside a file: up to which length the file holds committed rows, and how far the
 * source had come then. Replaced as a whole at each commit, after the rows.
 */
final class Sidecar {

  /** In what state a run has left its file. */
  enum State {
    /** It is at work, or it was cut off: the file may be longer than was committed. */
    OPEN,
    /** It was stopped: the file ends with what was committed. */
    LEFT,
    /** All rows are there, and only the name is missing, or not even that. */
    FINISHED
  }

  private static final String SUFFIX = ".drover";
  private static final String LENGTH = "length";
  private static final String SAMPLE = "sample";
  private static final String STATE = "state";

  private final Path data;
  private final Path path;
  private final WriterScope scope;
  private final boolean force;
  private @Nullable Checkpoint current;

  /**
   * @param data the file that it lies beside
   * @param force whether to wait for the disk
   */
  Sidecar(Path data, WriterScope scope, boolean force) {
    this.data = data;
    this.path = of(data);
    this.scope = scope;
    this.force = force;
  }

  /** Where the sidecar of a file is. */
  static Path of(Path data) {
    return data.resolveSibling(data.getFileName() + SUFFIX);
  }

  /**
   * Reads it; false if there is none.
   *
   * @throws DroverException if it is broken, or of another route
   */
  boolean load() throws IOException {
    String text;
    try (FileChannel channel = FileChannel.open(path, READ, NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until all is read.
      }
      text = UTF_8.decode(bytes.flip()).toString();
    } catch (NoSuchFileException e) {
      return false;
    }
    Checkpoint found = Checkpoint.parse(text, path.toString());
    if (!found.id().equals(scope.checkpointId())) {
      throw new DroverException(
          new Problem(
              ErrorCode.CHECKPOINT_MISMATCH,
              "",
              "%s belongs to another route, %s, which reads %s; this one, %s, reads %s"
                  .formatted(
                      data, found.id(), found.source(), scope.checkpointId(), scope.source()),
              "let that route end, or give it up with 'drover checkpoint reset %s', or write to"
                      .formatted(path)
                  + " another file"));
    }
    current = found;
    return true;
  }

  private Checkpoint current() {
    return current == null
        ? new Checkpoint(scope.checkpointId(), scope.source(), 0, Map.of(), Map.of())
        : current;
  }

  /** How far each split had come. */
  Map<Split, String> splits() {
    return current().splits();
  }

  State state() {
    try {
      return State.valueOf(current().attributes().getOrDefault(STATE, State.OPEN.name()));
    } catch (IllegalArgumentException e) {
      throw broken();
    }
  }

  /** The committed length of the file. */
  long length() {
    try {
      return Long.parseLong(current().attributes().getOrDefault(LENGTH, "0"));
    } catch (NumberFormatException e) {
      throw broken();
    }
  }

  private DroverException broken() {
    return new DroverException(
        ErrorCode.CHECKPOINT_BROKEN,
        "the checkpoint " + path + " holds what no version of Drover writes");
  }

  /**
   * Sees that the file is as the last run has left it.
   *
   * @throws DroverException if somebody has changed it
   */
  void check(OutputFile file, Path shown) throws IOException {
    long committed = length();
    String how = null;
    if (file.length() < committed) {
      how = "it has %,d bytes, and %,d were committed".formatted(file.length(), committed);
    } else if (state() != State.OPEN && file.length() > committed) {
      how = "it has %,d bytes, and was left with %,d".formatted(file.length(), committed);
    } else if (!file.sample(committed).equals(current().attributes().getOrDefault(SAMPLE, ""))) {
      how = "its content is another";
    }
    if (how != null) {
      throw new DroverException(
          new Problem(
              ErrorCode.TARGET_CHANGED,
              "",
              "somebody has changed %s since the run that is to be resumed: %s"
                  .formatted(shown, how),
              "put it back as it was; or give up what was done with 'drover checkpoint reset %s'"
                      .formatted(path)
                  + ", move the file away and start anew"));
    }
  }

  /** A new writer takes over. */
  void claim(OutputFile file) throws IOException {
    Checkpoint before = current();
    current =
        new Checkpoint(
            before.id(), before.source(), before.epoch() + 1, before.splits(), before.attributes());
    save(current.splits(), file, State.OPEN);
  }

  /** Commits what the file holds. */
  void commit(Map<Split, Progress> upTo, OutputFile file) throws IOException {
    Map<Split, String> stored = new HashMap<>();
    upTo.forEach((split, progress) -> stored.put(split, progress.stored()));
    save(stored, file, State.OPEN);
  }

  /** Notes how the run has left the file, which holds what was committed last. */
  void leave(State state, OutputFile file) throws IOException {
    save(current().splits(), file, state);
  }

  private void save(Map<Split, String> splits, OutputFile file, State state) throws IOException {
    Checkpoint next =
        current()
            .with(
                splits,
                Map.of(
                    LENGTH,
                    Long.toString(file.length()),
                    SAMPLE,
                    file.sample(file.length()),
                    STATE,
                    state.name()));
    Path tmp = path.resolveSibling(path.getFileName() + ".tmp");
    Files.deleteIfExists(tmp);
    try (FileChannel channel = FileChannel.open(tmp, CREATE_NEW, WRITE)) {
      ByteBuffer bytes = UTF_8.encode(next.text());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      if (force) {
        channel.force(false);
      }
    }
    Files.move(tmp, path, ATOMIC_MOVE, REPLACE_EXISTING);
    forceFolder();
    current = next;
  }

  void delete() throws IOException {
    Files.deleteIfExists(path);
    forceFolder();
  }

  /** So that a new name is not lost in a power cut. */
  void forceFolder() throws IOException {
    Path folder = path.getParent();
    if (force && folder != null) {
      try (FileChannel channel = FileChannel.open(folder, READ)) {
        channel.force(true);
      }
    }
  }
}
