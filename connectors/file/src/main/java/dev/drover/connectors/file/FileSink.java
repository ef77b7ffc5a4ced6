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
import java.io.IOException;
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
  private final boolean createFolders;
  private final CommitMode commitMode;
  private final Roll.Limits limits;

  /** Whether files are numbered. */
  private final boolean rolls;

  FileSink(FileSinkConfig config, Access access, RunMode mode) {
    createFolders = config.files().createFolders();
    FileUse use = createFolders ? FileUse.WRITE_IN_NEW_FOLDER : FileUse.WRITE;
    Path path = FileErrors.resolve(access, config.path(), use);
    SinkFormat rows = named(config.rows(), path);
    WriteMode wanted = config.writeMode();
    Compression kind = config.files().compression().whenWriting(path.toString());
    target =
        new Target(
            path,
            rows,
            writeMode(wanted, mode, path),
            config.fsync() == Fsync.COMMIT,
            new Packing(kind, Compressor.level(kind, config.files().compressionLevel())));
    limits =
        new Roll.Limits(
            config.files().rollRows(), config.files().rollBytes(), config.files().rollIntervalMs());
    rolls = NumberedFiles.isPattern(path);
    checkRoll(mode, wanted);
    inPlace = !rolls && (mode.endless() || target.writeMode() == WriteMode.APPEND);
    commitMode = commitMode(mode);
    check(mode);
  }

  /** Numbered files are never replaced: which of them would be, depends on how many come. */
  private static WriteMode writeMode(@Nullable WriteMode wanted, RunMode mode, Path path) {
    if (wanted != null) {
      return wanted;
    }
    return NumberedFiles.isPattern(path) ? WriteMode.CREATE : mode.writeMode();
  }

  private void checkRoll(RunMode mode, @Nullable WriteMode wanted) {
    if (limits.areSet() != rolls) {
      throw rolls
          ? new DroverException(
              new Problem(
                  ErrorCode.MISSING_OPTION,
                  "",
                  "the path has {n}, and nothing says when a file is full",
                  "set roll_rows, roll_bytes or roll_interval_ms"))
          : refused(
              ErrorCode.INVALID_ARGUMENT,
              "the path has no {n}, which stands for the number of a file",
              "write a path such as out-{n}.jsonl, or leave out the roll_ options");
    }
    if (rolls && wanted == WriteMode.REPLACE) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "/write_mode",
              "numbered files are not replaced: some of the old ones could be left among the new",
              "remove the old ones and leave out write_mode, or set it to append"));
    }
    if (rolls && mode.endless() && !mode.resumable()) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "",
              "a run that does not end writes numbered files only if it can be resumed",
              "set resume to true"));
    }
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
    Path folder = path.getParent();
    boolean isMade = createFolders && folder != null && !Files.exists(folder);
    boolean needsFolder = !isMade && (!exists || !inPlace || mode.resumable());
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

  private void makeFolders() {
    Path folder = target.path().getParent();
    if (folder == null) {
      return;
    }
    try {
      Files.createDirectories(folder);
      if (!folder.toRealPath().equals(folder)) {
        throw refused(
            ErrorCode.ACCESS_DENIED,
            "the folder " + folder + " has become a link since the run was planned",
            "write to another folder");
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "making", folder);
    }
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
    if (createFolders) {
      makeFolders();
    }
    if (rolls) {
      return commitMode == CommitMode.AT_END
          ? new RollingPartsWriter(target, limits, scope)
          : new RollingWriter(target, limits, scope);
    }
    return switch (commitMode) {
      case ROWS -> new RowsWriter(target, scope);
      case AT_END -> new WholeFileWriter(target, scope);
      case WITH_CHECKPOINT ->
          inPlace ? new AppendWriter(target, scope) : new PartWriter(target, scope);
    };
  }
}
