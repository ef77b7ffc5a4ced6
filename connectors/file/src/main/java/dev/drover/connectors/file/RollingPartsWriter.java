package dev.drover.connectors.file;

import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Writes numbered parts and renames them all at the end; nothing is left of a run that fails. */
final class RollingPartsWriter extends FileWriter {

  private final NumberedFiles files;
  private final Roll roll;

  /** Those that are complete. */
  private final List<Integer> full = new ArrayList<>();

  RollingPartsWriter(Target target, Roll.Limits limits, WriterScope scope) {
    super(target, scope);
    files = new NumberedFiles(target);
    roll = new Roll(limits, scope);
  }

  @Override
  Map<Split, String> open() throws IOException {
    files.removePartsAbove(0);
    sidecar.remove();
    begin(files, roll, files.first(target.writeMode() == WriteMode.APPEND));
    return Map.of();
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    roll(files, roll, full, rows);
    return super.write(rows);
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    // The bytes are with the operating system; the names come with finish.
  }

  @Override
  Destination close() throws IOException {
    checkPlace(output().path());
    seal(output());
    settle(output());
    leave();
    full.add(roll.number());
    for (int number : full) {
      Target one = files.target(number);
      if (one.exists()) {
        throw FileErrors.exists(one.path(), null);
      }
    }
    for (int number : full) {
      files.target(number).publish();
    }
    return new Destination(target.path().toString(), false);
  }

  @Override
  void giveUp() throws IOException {
    if (roll.number() > 0) {
      full.add(roll.number());
    }
    for (int number : full) {
      Files.deleteIfExists(files.target(number).part());
    }
  }
}
