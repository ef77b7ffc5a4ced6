package dev.drover.connectors.file;

import dev.drover.connectors.file.Committed.Kind;
import dev.drover.connectors.file.Committed.State;
import dev.drover.spi.Checkpoint;
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

/**
 * Writes the file under its own name, each row at least once. A run that may be resumed leaves a
 * sidecar with the length at its start: the file is its own from there on.
 */
final class RowsWriter extends FileWriter {

  private final boolean resumable;
  private boolean created;
  private long committed;

  RowsWriter(Target target, WriterScope scope) {
    super(target, scope);
    resumable = !scope.checkpointId().isEmpty();
  }

  @Override
  Map<Split, String> open() throws IOException {
    separate();
    Claim named = claimNamed();
    checkPart();
    Committed found = found();
    boolean goesOn = scope.resume() && found != null && isOurs(found);
    boolean create = target.writeMode() == WriteMode.CREATE;
    if (named != null && create && !goesOn) {
      throw FileErrors.exists(target.path(), null);
    }
    if (named == null) {
      if (create && resumable) {
        // Before the file, so that a restart in between knows whose it is.
        sidecar.save(start(Extent.EMPTY));
      }
      named = claimNamedOrNew();
      created = named.created();
      if (create && !created) {
        throw FileErrors.exists(target.path(), null);
      }
    }
    Output output = writeTo(target.path(), named);
    // Whatever fails from here on, what is there stays.
    committed = output.end();
    if (goesOn && found != null) {
      cutTorn(output, found.extent().length());
    } else {
      begin(output, found);
    }
    beginOnALine(output);
    committed = output.end();
    return Map.of();
  }

  private boolean isOurs(Committed found) {
    return found.kind() == Kind.START && found.checkpoint().id().equals(scope.checkpointId());
  }

  /** The sidecar of an earlier run, whatever it was. */
  private @Nullable Committed found() {
    try {
      Committed found = sidecar.load();
      if (resumable && found != null && found.kind() != Kind.START) {
        throw mismatch(found);
      }
      return found;
    } catch (DroverException e) {
      if (resumable) {
        throw e;
      }
      return null;
    }
  }

  private void begin(Output output, @Nullable Committed found) throws IOException {
    boolean replace = target.writeMode() == WriteMode.REPLACE;
    if (replace) {
      output.cut(0);
    }
    if (resumable) {
      sidecar.save(start(output.extent(null)));
    } else if (replace) {
      sidecar.remove();
    } else if (found != null && found.kind() == Kind.FILE && found.state() == State.OPEN) {
      // The run that it belongs to would take what is appended here for its own leftovers.
      sidecar.save(found.with(State.LEFT));
    }
  }

  private Committed start(Extent extent) {
    return new Committed(
        new Checkpoint(scope.checkpointId(), scope.source(), 1, Map.of(), Map.of()),
        Kind.START,
        State.OPEN,
        extent,
        false);
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    Output output = output();
    guarded(
        "committing",
        target.path(),
        () -> {
          checkPlace(target.path());
          settle(output);
          return output;
        });
    committed = output.end();
  }

  @Override
  Destination close() throws IOException {
    seal(output());
    settle(output());
    if (resumable) {
      sidecar.remove();
    }
    return new Destination(target.path().toString(), false);
  }

  @Override
  void giveUp() throws IOException {
    Output output = outputIfOpen();
    if (output == null) {
      return;
    }
    output.cut(committed);
    if (created && committed == 0) {
      checkPlace(target.path());
      Files.deleteIfExists(target.path());
      if (resumable) {
        sidecar.remove();
      }
    }
  }
}
