package dev.drover.connectors.file;

import dev.drover.connectors.file.Committed.Kind;
import dev.drover.connectors.file.Committed.State;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Writes numbered parts, which get their names once they are complete and committed. One sidecar
 * tells which part is written and how much of it is committed: those with lower numbers are
 * complete, those with higher ones are no part of the checkpoint.
 */
final class RollingWriter extends CheckpointedWriter {

  private final NumberedFiles files;
  private final Roll roll;

  /** Those that are complete, and have no name yet. */
  private final List<Integer> full = new ArrayList<>();

  RollingWriter(Target target, Roll.Limits limits, WriterScope scope) {
    super(target, scope, Kind.NUMBERED);
    files = new NumberedFiles(target);
    roll = new Roll(limits, scope);
  }

  @Override
  Map<Split, String> open() throws IOException {
    Committed found = found();
    if (found == null) {
      files.removePartsAbove(0);
      begin(files, roll, files.first(target.writeMode() == WriteMode.APPEND));
      return takeOver(begin(output().extent(null)).with(roll.number(), output().extent(null)));
    }
    int number = found.number();
    files.removePartsAbove(number);
    Path part = files.target(number).part();
    boolean complete = found.state() == State.FINISHED;
    if (!Files.exists(part) && !complete && found.extent().length() > 0) {
      throw FileErrors.changed(target.path(), part + " is gone");
    }
    if (Files.exists(part)) {
      Output output = take(part);
      checkCommitted(found, part);
      output.cut(found.extent().length());
      leave();
    }
    files.publishPartsBelow(complete ? number + 1 : number);
    if (!complete && found.extent().length() == 0) {
      begin(files, roll, number);
      return takeOver(found.with(State.OPEN));
    }
    begin(files, roll, number + 1);
    if (complete) {
      return takeOver(found.with(roll.number(), output().extent(null)));
    }
    // It is not gone on with: how many rows it has is not known.
    full.add(number);
    return takeOver(found.with(State.OPEN));
  }

  private void checkCommitted(Committed found, Path part) throws IOException {
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.READ)) {
      check(found, part, channel);
    }
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    roll(files, roll, full, rows);
    return super.write(rows);
  }

  @Override
  Committed next(Committed progress, Output output) throws IOException {
    boolean same = progress.number() == roll.number();
    return progress.with(roll.number(), output.extent(same ? progress.extent() : null));
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    super.commit(upTo);
    guarded("naming", target.path(), this::publishFull);
  }

  private NumberedFiles publishFull() throws IOException {
    while (!full.isEmpty()) {
      files.target(full.getFirst()).publish();
      full.removeFirst();
    }
    return files;
  }

  @Override
  Destination close() throws IOException {
    Output output = output();
    checkOwnership(output);
    boolean alone = files.complete().isEmpty() && full.isEmpty();
    boolean named = !roll.isEmpty() || alone;
    if (named) {
      seal(output);
    }
    settle(output);
    Committed last = next(committed(), output).finished(false);
    leave();
    if (named) {
      full.add(roll.number());
    } else {
      Files.delete(output.path());
    }
    store(last);
    publishFull();
    sidecar.remove();
    return new Destination(target.path().toString(), false);
  }

  @Override
  void giveUp() throws IOException {
    if (isInDoubt() || committed().state() == State.FINISHED || outputIfOpen() == null) {
      return;
    }
    checkOwnership(output());
    Committed last = committed();
    leave();
    files.removePartsAbove(last.number());
    if (last.checkpoint().splits().isEmpty()) {
      removeUnused();
      return;
    }
    Path part = files.target(last.number()).part();
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      channel.truncate(last.extent().length());
    }
    store(last.with(State.LEFT));
  }

  @Override
  boolean removeUnused() throws IOException {
    sidecar.remove();
    files.removePartsAbove(0);
    return true;
  }
}
