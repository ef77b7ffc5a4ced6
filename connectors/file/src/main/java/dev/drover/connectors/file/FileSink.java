package dev.drover.connectors.file;

import dev.drover.connectors.file.FileSinkConfig.Fsync;
import dev.drover.formats.Formats;
import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.CommitMode;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.spi.Problem;
import dev.drover.spi.RunMode;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One file: complete or not there, or growing. */
final class FileSink implements Sink {

  private final Path path;
  private final String format;
  private final WriteMode writeMode;
  private final boolean force;
  private final boolean grows;
  private final CommitMode commitMode;

  FileSink(FileSinkConfig config, Access access, RunMode run) {
    path = FileErrors.resolve(access, config.path(), FileUse.WRITE);
    format = Formats.sinkFormat(config.format(), path.toString());
    WriteMode given = config.writeMode();
    writeMode = given == null ? run.writeMode() : given;
    force = config.fsync() == Fsync.COMMIT;
    grows = run.endless() || writeMode == WriteMode.APPEND;
    boolean weaker = run.wanted() == Guarantee.AT_LEAST_ONCE;
    commitMode =
        run.resumable() && !(grows && weaker)
            ? CommitMode.WITH_CHECKPOINT
            : grows ? CommitMode.ROWS : CommitMode.AT_END;
    if (Files.isDirectory(path)) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT, "/path", path + " is a folder", "name a file inside it"));
    }
    if (Files.exists(path) && writeMode == WriteMode.CREATE && !mayBeOurs()) {
      throw new DroverException(FileErrors.exists(path, null).problem().under("/path"));
    }
    Path folder = path.getParent();
    if (folder == null || !Files.isWritable(folder)) {
      throw new DroverException(
          new Problem(
              ErrorCode.ACCESS_DENIED,
              "/path",
              "the folder " + folder + " is not writable",
              "check its permissions, or write to another folder"));
    }
  }

  /** What is there may have come from the run that is to be resumed; the writer will see. */
  private boolean mayBeOurs() {
    Path data = grows ? path : new FileName(path, writeMode).part();
    return commitMode == CommitMode.WITH_CHECKPOINT && Files.exists(Sidecar.of(data));
  }

  @Override
  public CommitMode commitMode() {
    return commitMode;
  }

  @Override
  public @Nullable Object identity() {
    return FileSource.identity(path);
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new FileWriter(path, format, landing(scope), scope.buffers());
  }

  private Landing landing(WriterScope scope) {
    boolean keepsCheckpoint = commitMode == CommitMode.WITH_CHECKPOINT;
    if (grows) {
      return new GrowingFile(path, writeMode, scope, force, keepsCheckpoint);
    }
    FileName name = new FileName(path, writeMode);
    return keepsCheckpoint ? new ResumableFile(name, scope, force) : new NewFile(name, force);
  }
}
