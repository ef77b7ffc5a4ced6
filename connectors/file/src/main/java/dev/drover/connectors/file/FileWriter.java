package dev.drover.connectors.file;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.formats.RowFormat;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What all ways to write a file have in common. */
abstract class FileWriter implements SinkWriter {

  private static final CompletionStage<Written> DONE =
      CompletableFuture.completedStage(Written.ALL);

  final Target target;
  final WriterScope scope;
  final Sidecar sidecar;

  /** The right to the file under its final name; null while there is none. */
  private @Nullable Claim named;

  private @Nullable Claim part;
  private @Nullable Output output;
  private final @Nullable Packer packer;

  /** Known from the first schema on. */
  private @Nullable RowFormat rows;

  FileWriter(Target target, WriterScope scope) {
    this.target = target;
    this.scope = scope;
    this.sidecar = new Sidecar(target);
    this.packer = target.packing().isNone() ? null : new Packer(target.packing(), scope.buffers());
  }

  /** File system calls of one step of a writer. */
  interface Step<T> {
    T run() throws IOException;
  }

  /** Tells an error of the operating system as one of the target's. */
  final <T> T guarded(String doing, Path path, Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      throw FileErrors.of(e, doing, path);
    }
  }

  abstract Map<Split, String> open() throws IOException;

  abstract Destination close() throws IOException;

  abstract void giveUp() throws IOException;

  @Override
  public final Map<Split, String> restore() {
    return guarded("opening", target.path(), this::open);
  }

  @Override
  public final Encoder encoder(Schema schema) {
    RowFormat begun = rows;
    if (begun == null) {
      begun = Formats.rows(target.rows(), scope.buffers());
      begin(begun, schema);
      rows = begun;
    }
    Encoder encoder = begun.encoder(schema);
    return packer == null ? encoder : packer.around(encoder);
  }

  /** Writes what a further file begins with. */
  private void beginFurther() throws IOException {
    RowFormat begun = rows;
    if (begun == null) {
      return;
    }
    byte[] head = begun.head();
    if (packer == null) {
      output().write(head, head.length);
    } else {
      packer.write(output(), head);
    }
  }

  private void begin(RowFormat format, Schema first) {
    Output open = output();
    guarded(
        "writing",
        open.path(),
        () -> {
          byte[] start =
              packer == null
                  ? open.start(RowFormat.HEAD_BYTES)
                  : packer.start(open, RowFormat.HEAD_BYTES);
          if (start.length > 0) {
            format.goOn(start);
            return open;
          }
          byte[] head = format.head(first);
          if (packer == null) {
            open.write(head, head.length);
          } else {
            packer.write(open, head);
          }
          return open;
        });
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    EncodedBytes bytes = (EncodedBytes) rows;
    Output open = output();
    try {
      if (packer == null) {
        open.write(bytes.array(), bytes.length());
      } else {
        packer.write(open, bytes);
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", open.path());
    }
    return DONE;
  }

  @Override
  public final Destination finish() {
    Destination where = guarded("finishing", target.path(), this::close);
    letGo();
    return where;
  }

  @Override
  public final void abort() {
    try {
      guarded(
          "cleaning up",
          target.path(),
          () -> {
            giveUp();
            return target;
          });
    } finally {
      letGo();
    }
  }

  /** Sees that all that was written is in the file, and on the disk if that is wanted. */
  final void settle(Output open) throws IOException {
    if (packer != null) {
      packer.flush(open);
    }
    open.settle(target.force());
  }

  /** A compressed file without rows has a member all the same; whether it was written now. */
  final boolean seal(Output open) throws IOException {
    return packer != null && packer.seal(open);
  }

  /** Sees that the first row does not go on with the last line of what the file holds. */
  final void beginOnALine(Output open) throws IOException {
    if (packer != null) {
      packer.beginOnALine(open);
      return;
    }
    open.checkPlain();
    open.beginOnALine();
  }

  /** Cuts off what a killed process has written half, but nothing before {@code least}. */
  final void cutTorn(Output open, long least) throws IOException {
    if (packer == null) {
      open.cutTornLine(least);
    } else {
      packer.cutTorn(open, least);
    }
  }

  private void letGo() {
    if (packer != null) {
      packer.close();
    }
    Claim one = part;
    Claim other = named;
    part = null;
    named = null;
    output = null;
    try {
      if (one != null) {
        one.close();
      }
    } finally {
      if (other != null) {
        other.close();
      }
    }
  }

  final Output output() {
    if (output == null) {
      throw new IllegalStateException("restore has not been called");
    }
    return output;
  }

  /** Null if the target could not be opened, or was let go of. */
  final @Nullable Output outputIfOpen() {
    return output;
  }

  final Output writeTo(Path path, Claim claim) throws IOException {
    output = new Output(path, claim.channel());
    return output;
  }

  /**
   * Claims the file that has the final name now, if there is one: a run that writes it in place,
   * maybe by another name, is found by that.
   */
  final @Nullable Claim claimNamed() {
    Claim held = named;
    if (held != null && held.isAt(target.path())) {
      return held;
    }
    if (held != null) {
      named = null;
      held.close();
    }
    if (!target.isPublished()) {
      named = Claim.existing(target.path(), target.path());
    }
    return named;
  }

  final Claim claimNamedOrNew() {
    named = Claim.of(target.path(), target.path());
    return named;
  }

  final @Nullable Claim claimPart() {
    part = Claim.existing(target.part(), target.path());
    return part;
  }

  final Claim claimPartOrNew() {
    if (part == null) {
      part = Claim.of(target.part(), target.path());
    }
    return part;
  }

  /**
   * Takes the second name from a file that is {@code NAME} and {@code NAME.part}: left by a process
   * that was killed in its last step, it is no part any more.
   */
  final void separate() throws IOException {
    if (target.isPublished()) {
      Claim both = claimPartOrNew();
      Files.delete(target.part());
      part = null;
      both.close();
    }
  }

  /** Sees that no other run has a part that will take the name of what is written here. */
  final void checkPart() {
    Claim other = Claim.existing(target.part(), target.path());
    if (other != null) {
      other.close();
    }
  }

  /** Gives the part its final name. */
  final void publish() throws IOException {
    Claim old = claimNamed();
    target.publish();
    if (old != null) {
      named = null;
      old.closeLater();
    }
  }

  /** Begins a numbered file. */
  final void begin(NumberedFiles files, Roll roll, int number) throws IOException {
    take(files.target(number).part()).cut(0);
    roll.begin(number);
  }

  /**
   * Begins the next of numbered files if rows that are to be written belong there.
   *
   * @param full takes the number of a file that is complete
   */
  final void roll(NumberedFiles files, Roll roll, List<Integer> full, Encoded rows) {
    if (roll.isDue(rows.rows(), output().end())) {
      guarded(
          "writing",
          output().path(),
          () -> {
            settle(output());
            leave();
            full.add(roll.number());
            begin(files, roll, roll.number() + 1);
            beginFurther();
            return files;
          });
    }
    roll.add(rows.rows());
  }

  /** Takes a numbered part, whose bytes are in the way of nobody. */
  final Output take(Path path) throws IOException {
    part = Claim.of(path, target.path());
    return writeTo(path, part);
  }

  /** Lets go of a numbered part, which is complete. */
  final void leave() {
    Claim held = part;
    part = null;
    output = null;
    if (held != null) {
      held.close();
    }
  }

  /** Fails if the file that is written has been moved or removed. */
  final void checkPlace(Path path) {
    Claim claim = path.equals(target.path()) ? named : part;
    if (claim == null || !claim.isAt(path)) {
      throw FileErrors.changed(target.path(), path + " was moved or removed");
    }
  }

  final DroverException mismatch(Committed found) {
    String ours =
        scope.checkpointId().isEmpty()
            ? "a run of " + scope.source()
            : "the run %s of %s".formatted(scope.checkpointId(), scope.source());
    return FileErrors.mismatch(target.path(), found.checkpoint(), ours);
  }
}
