package dev.drover.connectors.file;

import dev.drover.connectors.file.Committed.Kind;
import dev.drover.connectors.file.Committed.State;
import dev.drover.spi.Destination;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/** Writes the file under its own name, each row once. */
final class AppendWriter extends CheckpointedWriter {

  private boolean created;

  AppendWriter(Target target, WriterScope scope) {
    super(target, scope, Kind.FILE);
  }

  @Override
  Map<Split, String> open() throws IOException {
    separate();
    Claim named = claimNamed();
    checkPart();
    Committed found = found();
    boolean create = target.writeMode() == WriteMode.CREATE;
    if (found == null && named != null && create) {
      throw FileErrors.exists(target.path(), null);
    }
    if (found != null && named == null && !hasOnlyBegun(found)) {
      throw FileErrors.changed(target.path(), target.path() + " is gone");
    }
    if (found == null && create) {
      // Before the file, so that a restart in between knows whose it is.
      found = begin(Extent.EMPTY);
      store(found);
    }
    if (named == null) {
      named = claimNamedOrNew();
      created = named.created();
      if (create && !created) {
        sidecar.remove();
        throw FileErrors.exists(target.path(), null);
      }
    }
    Output output = writeTo(target.path(), named);
    if (found == null) {
      if (target.writeMode() == WriteMode.REPLACE) {
        output.cut(0);
      }
      found = begin(output.extent(null));
    } else {
      check(found, target.path(), named.channel());
      output.cut(found.extent().length());
    }
    if (found.checkpoint().splits().isEmpty()) {
      // What is there is somebody else's; ours ends with a line.
      beginOnALine(output);
    }
    return takeOver(found.with(State.OPEN));
  }

  private static boolean hasOnlyBegun(Committed found) {
    return found.extent().length() == 0 && found.checkpoint().splits().isEmpty();
  }

  @Override
  boolean removeUnused() throws IOException {
    if (created) {
      Files.deleteIfExists(target.path());
      sidecar.remove();
    }
    return created;
  }

  @Override
  Destination close() throws IOException {
    checkOwnership(output());
    seal(output());
    settle(output());
    sidecar.remove();
    return new Destination(target.path().toString(), false);
  }
}
