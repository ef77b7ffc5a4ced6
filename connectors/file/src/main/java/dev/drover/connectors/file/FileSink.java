package dev.drover.connectors.file;

import dev.drover.connectors.file.FileSinkConfig.Fsync;
import dev.drover.formats.Compression;
import dev.drover.formats.Compressor;
import dev.drover.formats.Formats;
import dev.drover.formats.SinkFormat;
import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.Buffers;
import dev.drover.spi.CommitMode;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.spi.Need;
import dev.drover.spi.Problem;
import dev.drover.spi.RunMode;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.WriteMode;
import dev.drover.spi.WriterScope;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One file. A run that ends by itself shows it when it is complete, unless it appends; any other
 * writes it under its own name.
 */
final class FileSink implements Sink {

  private final Target target;
  private final boolean inPlace;
  private final CommitMode commitMode;

  FileSink(FileSinkConfig config, Access access, RunMode mode) {
    Path path = FileErrors.resolve(access, config.path(), FileUse.WRITE);
    SinkFormat rows = named(config.rows(), path);
    WriteMode wanted = config.writeMode();
    Compression kind = config.files().compression().whenWriting(path.toString());
    target =
        new Target(
            path,
            rows,
            wanted == null ? mode.writeMode() : wanted,
            config.fsync() == Fsync.COMMIT,
            new Packing(kind, Compressor.level(kind, config.files().compressionLevel())));
    inPlace = mode.endless() || target.writeMode() == WriteMode.APPEND;
    commitMode = commitMode(mode);
    check(mode);
  }

  /** With the name of the format, checked. */
  private static SinkFormat named(SinkFormat rows, Path path) {
    SinkFormat named = rows.withFormat(Formats.sinkFormat(rows.format(), path.toString()));
    Formats.rows(named, Buffers.heap());
    return named;
  }

  private CommitMode commitMode(RunMode mode) {
    if (mode.resumable() && !(inPlace && mode.wanted() == Guarantee.AT_LEAST_ONCE)) {
      return CommitMode.WITH_CHECKPOINT;
    }
    return inPlace ? CommitMode.ROWS : CommitMode.AT_END;
  }

  private void check(RunMode mode) {
    Path path = target.path();
    boolean exists = Files.exists(path);
    if (exists && !Files.isRegularFile(path)) {
      String what = Files.isDirectory(path) ? " is a folder" : " is no regular file";
      String instead =
          Files.isDirectory(path) ? "name a file inside it" : "write to a regular file";
      throw refused(ErrorCode.INVALID_ARGUMENT, path + what, instead);
    }
    // Whose the file is that belongs to a checkpoint, the writer finds out.
    boolean mayBeOurs =
        mode.resumable() && Files.exists(target.sidecar(), LinkOption.NOFOLLOW_LINKS);
    if (exists && target.writeMode() == WriteMode.CREATE && !mayBeOurs) {
      throw new DroverException(FileErrors.exists(path, null).problem().under("/path"));
    }
    if (exists && inPlace && !Files.isWritable(path)) {
      throw refused(
          ErrorCode.ACCESS_DENIED,
          "writing " + path + " is not permitted",
          "check its permissions, or write to another file");
    }
    boolean needsFolder = !exists || !inPlace || mode.resumable();
    Path folder = path.getParent();
    if (needsFolder && (folder == null || !Files.isWritable(folder))) {
      throw refused(
          ErrorCode.ACCESS_DENIED,
          "the folder " + folder + " is not writable",
          "check its permissions, or write to another folder");
    }
  }

  private static DroverException refused(ErrorCode code, String message, String suggestion) {
    return new DroverException(new Problem(code, "/path", message, suggestion));
  }

  @Override
  public CommitMode commitMode() {
    return commitMode;
  }

  @Override
  public Set<Need> needs() {
    return Formats.needs(target.rows());
  }

  @Override
  public @Nullable Object identity() {
    return FileSource.identity(target.path());
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return switch (commitMode) {
      case ROWS -> new RowsWriter(target, scope);
      case AT_END -> new WholeFileWriter(target, scope);
      case WITH_CHECKPOINT ->
          inPlace ? new AppendWriter(target, scope) : new PartWriter(target, scope);
    };
  }
}
