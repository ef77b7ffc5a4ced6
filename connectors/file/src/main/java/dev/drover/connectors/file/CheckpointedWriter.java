package dev.drover.connectors.file;

import dev.drover.connectors.file.Committed.Kind;
import dev.drover.connectors.file.Committed.State;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the checkpoint in a sidecar, together with the length that the file had: what is longer was
 * not committed.
 */
abstract class CheckpointedWriter extends FileWriter {

  private final Kind kind;

  /** What the sidecar tells; null until the target is open. */
  private @Nullable Committed committed;

  /** Whether the sidecar may tell something else, or be somebody else's. */
  private boolean inDoubt;

  CheckpointedWriter(Target target, WriterScope scope, Kind kind) {
    super(target, scope);
    this.kind = kind;
  }

  final Committed committed() {
    if (committed == null) {
      throw new IllegalStateException("restore has not been called");
    }
    return committed;
  }

  /** The sidecar if this run goes on from it; null if it begins. */
  final @Nullable Committed found() throws IOException {
    if (!scope.resume()) {
      sidecar.remove();
      return null;
    }
    Committed found = sidecar.load();
    if (found != null
        && (!found.checkpoint().id().equals(scope.checkpointId()) || found.kind() != kind)) {
      throw mismatch(found);
    }
    return found;
  }

  /** The first checkpoint, before the first row. */
  final Committed begin(Extent extent) {
    return new Committed(
        new Checkpoint(scope.checkpointId(), scope.source(), 0, Map.of(), Map.of()),
        kind,
        State.OPEN,
        extent,
        false);
  }

  /** Sees that the file is as the run before has left it, a crash apart. */
  final void check(Committed found, Path path, FileChannel channel) throws IOException {
    long size = channel.size();
    long length = found.extent().length();
    if (size < length) {
      throw FileErrors.changed(
          target.path(), "%s has %,d bytes, and %,d were committed".formatted(path, size, length));
    }
    if (size > length && found.state() != State.OPEN) {
      throw FileErrors.changed(
          target.path(), "%s has %,d bytes, and was left with %,d".formatted(path, size, length));
    }
    if (!found.extent().equals(Extent.of(channel, length, null))) {
      throw FileErrors.changed(
          target.path(), "%s holds other bytes than were committed".formatted(path));
    }
  }

  /** Raises the epoch and stores what the writer begins with. */
  final Map<Split, String> takeOver(Committed found) throws IOException {
    store(found.takenOver());
    return found.checkpoint().splits();
  }

  final void store(Committed next) throws IOException {
    inDoubt = true;
    sidecar.save(next);
    committed = next;
    inDoubt = false;
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    Map<Split, String> further = new HashMap<>();
    upTo.forEach((split, progress) -> further.put(split, progress.stored()));
    Output output = output();
    guarded(
        "committing",
        output.path(),
        () -> {
          checkOwnership(output);
          inDoubt = true;
          settle(output);
          store(next(committed().with(further, committed().extent()), output));
          return output;
        });
  }

  /** What is to be committed, with what the output holds now. */
  Committed next(Committed progress, Output output) throws IOException {
    return progress.with(Map.of(), output.extent(progress.extent()));
  }

  /** Whether nothing is known for sure of what the checkpoint says. */
  final boolean isInDoubt() {
    return inDoubt || committed == null;
  }

  final void checkOwnership(Output output) {
    boolean before = inDoubt;
    inDoubt = true;
    sidecar.check();
    checkPlace(output.path());
    inDoubt = before;
  }

  @Override
  void giveUp() throws IOException {
    Output output = outputIfOpen();
    Committed last = committed;
    if (output != null && last != null && !inDoubt && last.state() != State.FINISHED) {
      checkOwnership(output);
      output.cut(last.extent().length());
      if (!last.checkpoint().splits().isEmpty() || !removeUnused()) {
        store(last.with(State.LEFT));
      }
    }
  }

  /** Removes what the writer has made, as nothing was committed; false if it was there before. */
  abstract boolean removeUnused() throws IOException;
}
