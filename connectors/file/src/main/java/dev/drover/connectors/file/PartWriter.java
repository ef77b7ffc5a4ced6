package dev.drover.connectors.file;

import dev.drover.connectors.file.Committed.Kind;
import dev.drover.connectors.file.Committed.State;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code NAME.part}, which the next run goes on with, and renames it at the end. The last
 * steps are: mark the checkpoint as finished, rename, remove the checkpoint. A restart between them
 * finds out how far they came.
 */
final class PartWriter extends CheckpointedWriter {

  /** Whether the file has its final name already. */
  private boolean published;

  PartWriter(Target target, WriterScope scope) {
    super(target, scope, Kind.PART);
  }

  @Override
  Map<Split, String> open() throws IOException {
    Claim named = claimNamed();
    Claim part = claimPart();
    Committed found = found();
    if (found != null && found.state() == State.FINISHED && part == null) {
      return openPublished(found, named);
    }
    if (found == null) {
      separate();
      named = claimNamed();
    }
    if (target.writeMode() == WriteMode.CREATE && named != null) {
      throw FileErrors.exists(target.path(), null);
    }
    if (found == null) {
      Output output = writeTo(target.part(), claimPartOrNew());
      output.cut(0);
      return takeOver(begin(output.extent(null)));
    }
    if (part == null) {
      throw FileErrors.changed(target.path(), target.part() + " is gone");
    }
    check(found, target.part(), part.channel());
    writeTo(target.part(), part).cut(found.extent().length());
    return takeOver(found.state() == State.FINISHED ? found : found.with(State.OPEN));
  }

  private Map<Split, String> openPublished(Committed found, @Nullable Claim named)
      throws IOException {
    if (named == null) {
      throw FileErrors.changed(target.path(), target.path() + " is gone");
    }
    check(found, target.path(), named.channel());
    writeTo(target.path(), named);
    published = true;
    return takeOver(found);
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    if (committed().state() == State.FINISHED) {
      guarded("reopening", target.path(), this::reopen);
    }
    return super.write(rows);
  }

  /** The source has more rows than when the run before had all of them. */
  private Output reopen() throws IOException {
    if (published) {
      Files.move(target.path(), target.part());
    } else if (target.isPublished()) {
      Files.delete(target.path());
    }
    published = false;
    store(committed().with(State.OPEN));
    claimNamed();
    return writeTo(target.part(), claimPartOrNew());
  }

  @Override
  boolean removeUnused() throws IOException {
    // A part without a checkpoint is thrown away by the next run; a checkpoint without is refused.
    sidecar.remove();
    Files.deleteIfExists(target.part());
    return true;
  }

  @Override
  Destination close() throws IOException {
    if (!published) {
      Output output = output();
      checkOwnership(output);
      if (seal(output)) {
        store(committed().with(Map.of(), output.extent(null)));
      }
      settle(output);
      boolean again = committed().state() == State.FINISHED;
      boolean replacing = again ? committed().replaced() : target.exists() && !target.isPublished();
      if (replacing && target.writeMode() == WriteMode.CREATE) {
        throw FileErrors.exists(target.path(), null);
      }
      store(committed().finished(replacing));
      publish();
    }
    sidecar.remove();
    return new Destination(target.path().toString(), committed().replaced());
  }
}
