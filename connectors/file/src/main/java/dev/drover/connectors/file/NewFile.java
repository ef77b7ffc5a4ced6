package dev.drover.connectors.file;

import dev.drover.spi.Destination;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file that is seen once it is complete: {@code NAME.part}, renamed at the end. */
final class NewFile implements Landing {

  private final FileName name;
  private final boolean force;
  private @Nullable OutputFile file;

  NewFile(FileName name, boolean force) {
    this.name = name;
    this.force = force;
  }

  @Override
  public Map<Split, String> open() throws IOException {
    OutputFile opened = OutputFile.open(name.part(), name.path());
    file = opened;
    name.lock();
    // What a run that died has left, with its checkpoint.
    opened.truncate(0);
    Files.deleteIfExists(Sidecar.of(name.part()));
    return Map.of();
  }

  @Override
  public OutputFile file() {
    if (file == null) {
      throw new IllegalStateException("not open");
    }
    return file;
  }

  @Override
  public void commit(Map<Split, Progress> upTo) throws IOException {
    // The bytes are with the operating system; the name comes with finish.
    file().trim();
    if (force) {
      file().force();
    }
  }

  @Override
  public Destination finish() throws IOException {
    boolean replaced = name.take();
    file().close();
    return new Destination(name.path().toString(), replaced);
  }

  @Override
  public void abort() throws IOException {
    OutputFile open = file;
    name.release();
    if (open != null) {
      // Removed before the lock is given up, so that it is certainly ours.
      Files.deleteIfExists(name.part());
      open.close();
    }
  }
}
