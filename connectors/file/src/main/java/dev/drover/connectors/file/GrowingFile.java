package dev.drover.connectors.file;

import dev.drover.spi.Destination;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that rows are added to, and seen in at once. With a sidecar, what was not committed is cut
 * off when the next run goes on; without one, rows of a run that was cut off may be there twice.
 */
final class GrowingFile implements Landing {

  private final Path path;
  private final WriteMode writeMode;
  private final WriterScope scope;
  private final boolean force;
  private final @Nullable Sidecar sidecar;

  private @Nullable OutputFile file;
  private boolean ours;
  private long committed;

  /**
   * @param keepsCheckpoint whether it has a sidecar
   */
  GrowingFile(
      Path path, WriteMode writeMode, WriterScope scope, boolean force, boolean keepsCheckpoint) {
    this.path = path;
    this.writeMode = writeMode;
    this.scope = scope;
    this.force = force;
    this.sidecar = keepsCheckpoint ? new Sidecar(path, scope, force) : null;
  }

  @Override
  public Map<Split, String> open() throws IOException {
    OutputFile opened = OutputFile.open(path, path);
    file = opened;
    boolean goesOn = sidecar == null ? scope.resume() : sidecar.load();
    if (sidecar != null && goesOn) {
      sidecar.check(opened, path);
      opened.truncate(sidecar.length());
    } else if (goesOn) {
      opened.truncate(opened.tornLine());
    } else {
      begin(opened);
    }
    ours = true;
    committed = opened.length();
    if (sidecar != null) {
      sidecar.claim(opened);
      return sidecar.splits();
    }
    return Map.of();
  }

  private void begin(OutputFile opened) throws IOException {
    if (writeMode == WriteMode.CREATE && !opened.created()) {
      throw FileErrors.exists(path, null);
    }
    if (writeMode == WriteMode.REPLACE) {
      opened.truncate(0);
    }
    if (opened.tornLine() != opened.length()) {
      // Somebody's last line has no end; the first row must not be glued to it.
      opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
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
    file().trim();
    if (force) {
      file().force();
    }
    if (sidecar != null) {
      sidecar.commit(upTo, file());
    }
    committed = file().length();
  }

  @Override
  public Destination finish() throws IOException {
    if (sidecar != null) {
      sidecar.delete();
    }
    file().close();
    return new Destination(path.toString(), false);
  }

  @Override
  public void abort() throws IOException {
    OutputFile open = file;
    if (open == null) {
      return;
    }
    if (ours) {
      open.truncate(committed);
      if (sidecar != null) {
        sidecar.leave(Sidecar.State.LEFT, open);
      }
    } else if (open.created()) {
      Files.deleteIfExists(path);
    }
    open.close();
  }
}
