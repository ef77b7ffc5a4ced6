package dev.drover.connectors.file;

import dev.drover.connectors.file.Committed.Kind;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes {@code NAME.part} and renames it at the end; nothing is left of a run that fails. */
final class WholeFileWriter extends FileWriter {

  private boolean ours;

  WholeFileWriter(Target target, WriterScope scope) {
    super(target, scope);
  }

  @Override
  Map<Split, String> open() throws IOException {
    separate();
    claimNamed();
    Output output = writeTo(target.part(), claimPartOrNew());
    ours = true;
    Committed leftOver = leftOver();
    if (leftOver != null && leftOver.kind() == Kind.PART) {
      // Before the part, so that nobody takes this run's rows for those of the dead one.
      sidecar.remove();
    }
    output.cut(0);
    return Map.of();
  }

  private @Nullable Committed leftOver() {
    try {
      return sidecar.load();
    } catch (DroverException e) {
      // Of no use to anybody; it goes when the file is replaced.
      return null;
    }
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    // The bytes are with the operating system; the name comes with finish.
  }

  @Override
  Destination close() throws IOException {
    checkPlace(target.part());
    seal(output());
    settle(output());
    if (target.writeMode() == WriteMode.CREATE && target.exists()) {
      throw FileErrors.exists(target.path(), null);
    }
    boolean replaced = target.exists();
    publish();
    sidecar.remove();
    return new Destination(target.path().toString(), replaced);
  }

  @Override
  void giveUp() throws IOException {
    // Removed before the lock is given up, so that it is certainly ours.
    if (ours && outputIfOpen() != null) {
      Files.deleteIfExists(target.part());
    }
  }
}
