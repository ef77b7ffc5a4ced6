package dev.drover.connectors.file;

import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.RecordReader;
import dev.drover.formats.RecordReader.Records;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Fills blocks from a file and cuts them at record borders. */
final class FileReader implements Reader {

  /**
   * Small enough that a chunk, its cells and its output stay in a core's second-level cache, large
   * enough that handing it on costs nothing beside its decoding.
   */
  private static final int BLOCK_BYTES = 256 << 10;

  private final Path path;
  private final FormatOptions options;
  private final ReaderScope scope;
  private final Buffers buffers;

  private @Nullable Split split;
  private @Nullable FileChannel channel;
  private @Nullable RecordReader records;
  private byte[] block = new byte[0];
  private int filled;
  private long offset;
  private boolean atEnd;

  FileReader(Path path, FormatOptions options, ReaderScope scope) {
    this.path = path;
    this.options = options;
    this.scope = scope;
    this.buffers = scope.buffers();
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    if (from != null) {
      throw new DroverException(
          ErrorCode.NOT_SUPPORTED, "reading a file can only begin at its start");
    }
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
    records = Formats.reader(options, buffers, this::warn);
    split = assigned;
    block = buffers.bytes(BLOCK_BYTES);
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    FileChannel open = channel;
    RecordReader cutter = records;
    Split current = split;
    if (open == null || cutter == null || current == null) {
      return null;
    }
    while (true) {
      fill(open);
      int border = cutter.cut(block, filled, atEnd);
      if (border > 0) {
        return chunk(cutter, current, border);
      }
      if (atEnd) {
        scope.finished(current);
        close();
        return null;
      }
      grow();
    }
  }

  private void warn(Problem oddity) {
    String suggestion = oddity.suggestion();
    scope.warn(suggestion == null ? oddity.message() : oddity.message() + "; " + suggestion);
  }

  private void fill(FileChannel open) {
    int capacity = block.length - Batch.PADDING;
    try {
      while (!atEnd && filled < capacity) {
        int read = open.read(ByteBuffer.wrap(block, filled, capacity - filled));
        atEnd = read < 0;
        filled += Math.max(0, read);
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  private Chunk chunk(RecordReader cutter, Split current, int border) {
    int left = filled - border;
    byte[] next = buffers.bytes(Math.max(BLOCK_BYTES, 2 * left + Batch.PADDING));
    System.arraycopy(block, border, next, 0, left);
    offset += border;
    Records taken = cutter.take();
    block = next;
    filled = left;
    return new FileChunk(current, new FileOffset(offset), border, taken);
  }

  /** The record reader refuses records over its limit before the doubling could overflow. */
  private void grow() {
    byte[] larger = buffers.bytes(Math.toIntExact(2L * block.length));
    System.arraycopy(block, 0, larger, 0, filled);
    buffers.give(block);
    block = larger;
  }

  @Override
  public void close() {
    split = null;
    FileChannel open = channel;
    if (open != null) {
      channel = null;
      buffers.give(block);
      block = new byte[0];
      try {
        open.close();
      } catch (IOException e) {
        throw FileErrors.of(e, "closing", path);
      }
    }
  }

  private record FileChunk(Split split, Offset end, int bytes, Records records) implements Chunk {
    @Override
    public void decode(Decoded out) {
      records.decode(out);
    }

    @Override
    public void release() {
      records.release();
    }
  }
}
