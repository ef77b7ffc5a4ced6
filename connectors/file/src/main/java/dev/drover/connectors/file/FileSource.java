package dev.drover.connectors.file;

import dev.drover.connectors.file.SourceFiles.SourceFile;
import dev.drover.formats.Compression;
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

/** Files, each of which is a split. */
final class FileSource implements Source {

  /** How many of the first bytes a fingerprint covers. */
  private static final int FINGERPRINT_BYTES = 64 << 10;

  private final List<SourceFile> files;
  private final String description;
  private final FormatOptions options;
  private final FileReadOptions how;
  private final Access access;

  FileSource(FileSourceConfig config, Access access) {
    how = config.files();
    this.access = access;
    if (config.path().equals(SourceFiles.STANDARD)) {
      checkStandard(config, access);
    }
    files = new SourceFiles(access, how.maxFiles()).find(config.path());
    description = files.size() == 1 ? files.getFirst().path().toString() : config.path();
    options =
        new FormatOptions(
            format(config),
            config.csv(),
            config.maxRecordBytes(),
            config.maxDepth(),
            FormatOptions.DEFAULT_MAX_BATCH_ROWS);
    Formats.check(options);
  }

  private static void checkStandard(FileSourceConfig config, Access access) {
    FileErrors.standard(access, FileUse.READ);
    if (config.format() == null) {
      throw new DroverException(
          new Problem(
              ErrorCode.MISSING_OPTION,
              "/format",
              "nothing tells the format of standard input",
              "write -?format=csv, or set `format`",
              Formats.sources()));
    }
  }

  private String format(FileSourceConfig config) {
    SourceFile first = files.getFirst();
    String format = Formats.sourceFormat(config.format(), first.path().toString());
    for (SourceFile file : files) {
      String other = Formats.sourceFormat(config.format(), file.path().toString());
      if (!other.equals(format)) {
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_ARGUMENT,
                "/path",
                "%s is `%s` and %s is `%s`"
                    .formatted(first.split().id(), format, file.split().id(), other),
                "set `format`, or name one kind with a pattern such as *.%s".formatted(format)));
      }
    }
    return format;
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
    return new Traits(true, files.stream().allMatch(SourceFile::isRegular), false);
  }

  @Override
  public List<Split> splits() {
    return files.stream().map(SourceFile::split).toList();
  }

  @Override
  public boolean reads(Object target) {
    return files.stream()
        .anyMatch(file -> !file.standard() && target.equals(identity(file.path())));
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public Reader reader(ReaderScope scope) {
    FormatOptions ofRun = options.withMaxBatchRows(scope.maxBatchRows());
    if (scope.exitOnEmpty()) {
      return new FileReader(files, how, ofRun, scope, access);
    }
    if (files.size() > 1) {
      throw notFollowed(
          "%s is %,d files, and only one can be followed".formatted(description, files.size()),
          "name one file, or set exit_on_empty to true");
    }
    if (files.getFirst().standard()) {
      throw notFollowed(
          "standard input cannot be followed: it ends when its other side closes it",
          "leave out exit_on_empty");
    }
    if (options.csv().encoding() != null) {
      throw notFollowed(
          "a file in another encoding than UTF-8 cannot be followed",
          "leave out encoding, or set exit_on_empty to true");
    }
    Compression kind = how.compression();
    if (kind != Compression.AUTO && kind != Compression.NONE) {
      throw FollowingReader.compressed(files.getFirst().path(), kind);
    }
    return new FollowingReader(files.getFirst().path(), ofRun, scope, kind == Compression.AUTO);
  }

  private static DroverException notFollowed(String message, String suggestion) {
    return new DroverException(new Problem(ErrorCode.NOT_SUPPORTED, "", message, suggestion));
  }

  @Override
  public String fingerprint(Split of) {
    SourceFile file = file(of);
    Path path = file.path();
    if (!file.isRegular()) {
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

  private SourceFile file(Split of) {
    return files.stream()
        .filter(file -> file.split().equals(of))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(of.toString()));
  }

  @Override
  public Offset offset(String text) {
    return FileOffset.parse(text);
  }

  @Override
  public long sizeBytes() {
    long sum = 0;
    for (SourceFile file : files) {
      long size = file.isRegular() ? sizeBytes(file.path()) : -1;
      if (size < 0) {
        return -1;
      }
      sum += size;
    }
    return sum;
  }

  /** What a compressed file holds, nobody knows before it is read. */
  private long sizeBytes(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      boolean plain =
          how.compression() == Compression.NONE
              || (how.compression() == Compression.AUTO
                  && Compression.isPlain(
                      FileMark.read(channel, 0, Compression.MAGIC_BYTES), path.toString()));
      return plain ? channel.size() : -1;
    } catch (IOException | DroverException e) {
      return -1;
    }
  }
}
