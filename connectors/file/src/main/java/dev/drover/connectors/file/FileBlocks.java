package dev.drover.connectors.file;

import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.RecordReader;
import dev.drover.formats.RecordReader.Records;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Problem;
import dev.drover.spi.ReaderScope;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Fills blocks from one file and cuts them at record borders. */
final class FileBlocks implements Closeable {

  /**
   * Small enough that a chunk, its cells and its output stay in a core's second-level cache, large
   * enough that handing it on costs nothing beside its decoding.
   */
  private static final int BLOCK_BYTES = 256 << 10;

  private final FileChannel channel;
  private final RecordReader records;
  private final Buffers buffers;
  private final int blockBytes;

  private byte[] block;
  private int filled;
  private long offset;
  private boolean grown;

  /**
   * Records that were cut, and what they took of the file.
   *
   * @param end the place in the file behind them
   */
  record Cut(Records records, int bytes, long end) {}

  /**
   * Opens a file at a place where a record begins.
   *
   * @param path of the file, for errors
   */
  FileBlocks(Path path, long from, FormatOptions options, ReaderScope scope) throws IOException {
    buffers = scope.buffers();
    blockBytes = Math.min(BLOCK_BYTES, scope.maxBatchBytes());
    records = Formats.reader(options, buffers, oddity -> warn(scope, oddity));
    channel = FileChannel.open(path, StandardOpenOption.READ);
    block = buffers.bytes(blockBytes);
    boolean ready = false;
    try {
      if (from > 0) {
        readHeader();
        channel.position(from);
        filled = 0;
        offset = from;
      }
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  private static void warn(ReaderScope scope, Problem oddity) {
    String suggestion = oddity.suggestion();
    scope.warn(suggestion == null ? oddity.message() : oddity.message() + "; " + suggestion);
  }

  /** Lets the record reader see how the file begins; the rows there were read before. */
  private void readHeader() throws IOException {
    while (true) {
      boolean end = !fill();
      Cut cut = cut(end);
      if (cut != null) {
        cut.records().release();
      }
      // Not in the middle of a record: what follows is of another place.
      if (end || (cut != null && records.begun())) {
        return;
      }
    }
  }

  FileChannel channel() {
    return channel;
  }

  /** Whether the block has no room left. */
  boolean isFull() {
    return filled >= capacity();
  }

  private int capacity() {
    // An array from the pool may be longer than was asked for.
    int room = block.length - Batch.PADDING;
    return grown ? room : Math.min(blockBytes, room);
  }

  /**
   * Reads until the block is full or the file has no more.
   *
   * @return false if the file has no more for now
   */
  boolean fill() throws IOException {
    int capacity = capacity();
    while (filled < capacity) {
      int read = channel.read(ByteBuffer.wrap(block, filled, capacity - filled));
      if (read < 0) {
        return false;
      }
      filled += read;
    }
    return true;
  }

  /** Forgets the last bytes that were read. */
  void unread(long bytes) {
    filled -= Math.toIntExact(bytes);
  }

  /**
   * Cuts behind the last complete record of the block. A block without one is made larger if it is
   * full.
   *
   * @param end whether what is left is the last record
   * @return null if there is no complete record, or no byte
   */
  @Nullable Cut cut(boolean end) {
    int border = records.cut(block, filled, end);
    if (border <= 0) {
      if (isFull()) {
        grow();
      }
      return null;
    }
    int left = filled - border;
    int wanted = 2 * left + Batch.PADDING;
    byte[] next = buffers.bytes(Math.max(blockBytes, wanted));
    grown = wanted > blockBytes;
    System.arraycopy(block, border, next, 0, left);
    offset += border;
    Records taken = records.take();
    block = next;
    filled = left;
    return new Cut(taken, border, offset);
  }

  /** The record reader refuses records over its limit before the doubling could overflow. */
  private void grow() {
    if (!grown && block.length - Batch.PADDING > filled) {
      grown = true;
      return;
    }
    byte[] larger = buffers.bytes(Math.toIntExact(2L * block.length));
    System.arraycopy(block, 0, larger, 0, filled);
    buffers.give(block);
    block = larger;
    grown = true;
  }

  @Override
  public void close() throws IOException {
    if (block.length > 0) {
      buffers.give(block);
      block = new byte[0];
      channel.close();
    }
  }
}
