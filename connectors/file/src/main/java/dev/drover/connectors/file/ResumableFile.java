package dev.drover.connectors.file;

import dev.drover.spi.Destination;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that is seen once it is complete, and whose rows are committed with a checkpoint on the
 * way: {@code NAME.part} with its sidecar. A run that was cut off goes on with both.
 *
 * <p>The end has three steps, and a run may be cut off between any two: the sidecar says that all
 * is there; the part gets the name; the sidecar goes.
 */
final class ResumableFile implements Landing {

  private final FileName name;
  private final Sidecar sidecar;
  private final boolean force;

  private @Nullable OutputFile file;

  /** What is at the target and beside it is this run's. */
  private boolean ours;

  /** The file had its name already, and only the sidecar was left. */
  private boolean named;

  ResumableFile(FileName name, WriterScope scope, boolean force) {
    this.name = name;
    this.sidecar = new Sidecar(name.part(), scope, force);
    this.force = force;
  }

  @Override
  public Map<Split, String> open() throws IOException {
    OutputFile opened = OutputFile.open(name.part(), name.path());
    file = opened;
    name.lock();
    if (!sidecar.load()) {
      // What a run without a checkpoint has left.
      opened.truncate(0);
    } else if (sidecar.state() == Sidecar.State.FINISHED && partIsGone(opened)) {
      findNamed();
      return sidecar.splits();
    } else {
      sidecar.check(opened, name.part());
      opened.truncate(sidecar.length());
    }
    ours = true;
    sidecar.claim(opened);
    return sidecar.splits();
  }

  /** An empty one may have been made by a run that was cut off right here. */
  private boolean partIsGone(OutputFile opened) {
    return opened.created() || (opened.length() == 0 && sidecar.length() > 0);
  }

  /** The part is gone, so it got its name: if that is what is there, the work is done. */
  private void findNamed() throws IOException {
    name.release();
    try (OutputFile complete = OutputFile.open(name.path(), name.path())) {
      try {
        sidecar.check(complete, name.path());
      } finally {
        if (complete.created()) {
          Files.deleteIfExists(name.path());
        }
      }
    }
    named = true;
    ours = true;
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
    if (named) {
      return;
    }
    file().trim();
    if (force) {
      file().force();
    }
    sidecar.commit(upTo, file());
  }

  @Override
  public Destination finish() throws IOException {
    boolean replaced = false;
    if (named) {
      Files.deleteIfExists(name.part());
    } else {
      sidecar.leave(Sidecar.State.FINISHED, file());
      replaced = name.take();
      sidecar.forceFolder();
    }
    sidecar.delete();
    file().close();
    return new Destination(name.path().toString(), replaced);
  }

  @Override
  public void abort() throws IOException {
    OutputFile open = file;
    name.release();
    if (open == null) {
      return;
    }
    if (!ours || named) {
      if (open.created()) {
        Files.deleteIfExists(name.part());
      }
    } else if (sidecar.splits().isEmpty()) {
      // Nothing was committed, so there is nothing to go on from.
      sidecar.delete();
      Files.deleteIfExists(name.part());
    } else {
      open.truncate(sidecar.length());
      sidecar.leave(Sidecar.State.LEFT, open);
    }
    open.close();
  }
}
