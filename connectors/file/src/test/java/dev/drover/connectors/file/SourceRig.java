package dev.drover.connectors.file;

import dev.drover.formats.CsvOptions;
import dev.drover.spi.Access;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Split;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Drives a reader by hand, under a clock that moves when it is told to. */
final class SourceRig implements ReaderScope, Access, Decoded {

  /** So many looks without rows, far apart, find nothing more. */
  private static final int IDLE_LOOKS = 4;

  /** Rows, each as its fields with commas between. */
  final List<String> rows = new ArrayList<>();

  /** The offsets after each chunk, as they would be stored. */
  final List<String> offsets = new ArrayList<>();

  /** The number of rows before each of the offsets. */
  final List<Integer> counts = new ArrayList<>();

  final List<RejectedRow> rejected = new ArrayList<>();
  boolean finished;

  private final FileSource source;
  private final boolean exitOnEmpty;
  private final int maxBatchBytes;
  private Reader reader;
  private long nanos;

  SourceRig(Path path, boolean exitOnEmpty, int maxBatchBytes) {
    this.exitOnEmpty = exitOnEmpty;
    this.maxBatchBytes = maxBatchBytes;
    source =
        new FileSource(
            new FileSourceConfig(
                path.toString(),
                "csv",
                CsvOptions.DEFAULTS,
                1 << 20,
                1000,
                FileReadOptions.DEFAULTS),
            this);
    reader = source.reader(this);
    reader.assign(source.splits().getFirst(), null);
  }

  FileSource source() {
    return source;
  }

  /** Another reader, as after a restart; rows behind the offset come again. */
  void restart(@Nullable String offset) {
    reader.close();
    int at = offset == null ? -1 : offsets.lastIndexOf(offset);
    int count = at < 0 ? 0 : counts.get(at);
    rows.subList(count, rows.size()).clear();
    offsets.subList(at + 1, offsets.size()).clear();
    counts.subList(at + 1, counts.size()).clear();
    reader = source.reader(this);
    Offset from = offset == null ? null : source.offset(offset);
    reader.assign(source.splits().getFirst(), from);
  }

  void restart() {
    restart(offsets.isEmpty() ? null : offsets.getLast());
  }

  /** A moment passes; whether rows or an offset came. */
  boolean look(Duration later) {
    nanos += later.toNanos();
    Chunk chunk = reader.read(Duration.ZERO);
    if (chunk == null) {
      return false;
    }
    chunk.decode(this);
    chunk.release();
    if (!offsets.isEmpty()) {
      Offset before = source.offset(offsets.getLast());
      if (before.compareTo(chunk.end()) >= 0) {
        throw new AssertionError("offsets go backwards");
      }
    }
    offsets.add(chunk.end().text());
    counts.add(rows.size());
    return true;
  }

  /** Reads all that is there, and waits for what has to settle. */
  void readAll() {
    int idle = 0;
    while (idle < IDLE_LOOKS && !finished) {
      idle = look(Duration.ofSeconds(1)) ? 0 : idle + 1;
    }
  }

  Reader reader() {
    return reader;
  }

  void close() {
    reader.close();
  }

  @Override
  public void batch(Batch batch) {
    for (int row = 0; row < batch.rows(); row++) {
      List<String> fields = new ArrayList<>();
      for (int field = 0; field < batch.schema().size(); field++) {
        fields.add(String.valueOf(batch.text(row, field)));
      }
      rows.add(String.join(",", fields));
    }
  }

  @Override
  public void reject(RejectedRow row) {
    rejected.add(row);
  }

  @Override
  public void advanced(long records, long lines) {}

  @Override
  public Path file(String path, FileUse use) {
    if (use == FileUse.READ && path.indexOf('*') >= 0) {
      throw new DroverException(ErrorCode.FILE_NOT_FOUND, path);
    }
    return Path.of(path);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Access access() {
    return this;
  }

  @Override
  public Buffers buffers() {
    return SinkRig.PLAIN;
  }

  @Override
  public int maxBatchRows() {
    return 100;
  }

  @Override
  public int maxBatchBytes() {
    return maxBatchBytes;
  }

  @Override
  public Duration flushInterval() {
    return Duration.ofMillis(10);
  }

  @Override
  public boolean exitOnEmpty() {
    return exitOnEmpty;
  }

  @Override
  public void finished(Split split) {
    finished = true;
  }

  @Override
  public void warn(String text) {}
}
