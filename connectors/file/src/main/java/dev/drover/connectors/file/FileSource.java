package dev.drover.connectors.file;

import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import dev.drover.spi.Traits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One file, which is one split. */
final class FileSource implements Source {

  /** How many of the first bytes a fingerprint covers. */
  private static final int FINGERPRINT_BYTES = 64 << 10;

  private final Path path;
  private final FormatOptions options;
  private final Split split;

  FileSource(FileSourceConfig config, Access access) {
    path = FileErrors.resolve(access, config.path(), FileUse.READ);
    if (Files.isDirectory(path)) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/path",
              path + " is a folder",
              "name one file inside it"));
    }
    if (!Files.isReadable(path)) {
      throw new DroverException(
          new Problem(
              ErrorCode.ACCESS_DENIED,
              "/path",
              "reading " + path + " is not permitted",
              "check the permissions of the file"));
    }
    options =
        new FormatOptions(
            Formats.sourceFormat(config.format(), path.toString()),
            config.delimiter(),
            config.quote(),
            config.maxRecordBytes(),
            config.maxDepth(),
            FormatOptions.DEFAULT_MAX_BATCH_ROWS);
    Formats.check(options);
    split = new Split(path.toString());
  }

  /** What is the same for two paths of the same file; null if there is no file. */
  static @Nullable Object identity(Path path) {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path.toRealPath() : key;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public Traits traits() {
    // What comes through a pipe is gone once it is read.
    return new Traits(true, Files.isRegularFile(path), false);
  }

  @Override
  public List<Split> splits() {
    return List.of(split);
  }

  @Override
  public @Nullable Object identity() {
    return identity(path);
  }

  @Override
  public String description() {
    return path.toString();
  }

  @Override
  public Reader reader(ReaderScope scope) {
    FormatOptions ofRun = options.withMaxBatchRows(scope.maxBatchRows());
    return scope.exitOnEmpty()
        ? new FileReader(path, ofRun, scope)
        : new FollowingReader(path, ofRun, scope);
  }

  @Override
  public String fingerprint(Split of) {
    if (!Files.isRegularFile(path)) {
      return "";
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      byte[] head = FileMark.read(channel, 0, FINGERPRINT_BYTES);
      return "%d@%s#%08x"
          .formatted(channel.size(), Files.getLastModifiedTime(path), FileMark.hash(head));
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  @Override
  public Offset offset(String text) {
    return FileOffset.parse(text);
  }

  @Override
  public long sizeBytes() {
    try {
      return Files.isRegularFile(path) ? Files.size(path) : -1;
    } catch (IOException e) {
      return -1;
    }
  }
}
