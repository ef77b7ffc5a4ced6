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
import dev.drover.spi.Need;
import dev.drover.spi.Problem;
import dev.drover.spi.RunMode;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.WriterScope;
import java.util.Set;

/** Standard output of a command at a shell: JSON lines unless a format is named. */
final class StandardSink implements Sink {

  private final SinkFormat rows;
  private final Packing packing;

  StandardSink(FileSinkConfig config, Access access, RunMode mode) {
    FileErrors.standard(access, FileUse.WRITE);
    rows = config.rows().withFormat(Formats.sinkFormat(config.rows().format(), ".jsonl"));
    Formats.rows(rows, Buffers.heap());
    Compression kind = config.files().compression().whenWriting("");
    packing = new Packing(kind, Compressor.level(kind, config.files().compressionLevel()));
    if (config.writeMode() != null) {
      throw refused(ErrorCode.INVALID_ARGUMENT, "/write_mode", "it has nothing that could stay");
    }
    if (config.fsync() == Fsync.COMMIT) {
      throw refused(ErrorCode.NOT_SUPPORTED, "/fsync", "it need not be a file");
    }
    if (mode.resumable() && !mode.endless()) {
      throw refused(
          ErrorCode.NOT_SUPPORTED, "/path", "it cannot be gone on with, and this run is to resume");
    }
  }

  private static DroverException refused(ErrorCode code, String path, String why) {
    return new DroverException(
        new Problem(
            code, path, "standard output: " + why, "leave the option out, or write to a file"));
  }

  @Override
  public CommitMode commitMode() {
    return CommitMode.ROWS;
  }

  @Override
  public Set<Need> needs() {
    return Formats.needs(rows);
  }

  @Override
  public Object identity() {
    return "standard output";
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new StandardWriter(rows, packing, scope);
  }
}
