package dev.drover.connectors.file;

import dev.drover.connectors.file.FileSinkConfig.WriteMode;
import dev.drover.formats.Formats;
import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.spi.Problem;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Traits;
import dev.drover.spi.WriterScope;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One file, complete or not there. */
final class FileSink implements Sink {

  private final Path path;
  private final String format;
  private final WriteMode writeMode;

  FileSink(FileSinkConfig config, Access access) {
    path = FileErrors.resolve(access, config.path(), FileUse.WRITE);
    format = Formats.sinkFormat(config.format(), path.toString());
    writeMode = config.writeMode();
    if (Files.isDirectory(path)) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT, "/path", path + " is a folder", "name a file inside it"));
    }
    if (Files.exists(path) && writeMode == WriteMode.CREATE) {
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

  @Override
  public Guarantee guarantee(Traits source) {
    // The file is there as a whole or not at all, so no row is ever there twice.
    return source.finite() ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public @Nullable Object identity() {
    return FileSource.identity(path);
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new FileWriter(path, format, writeMode, scope.buffers());
  }
}
