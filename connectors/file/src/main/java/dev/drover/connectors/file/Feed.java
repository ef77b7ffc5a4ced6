package dev.drover.connectors.file;

import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.RecordReader;
import dev.drover.formats.RecordReader.Records;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Fills blocks from a file, one file after the other, and cuts them at record borders. */
final class Feed {

  /**
   * Small enough that a chunk, its cells and its output stay in a core's second-level cache, large
   * enough that handing it on costs nothing beside its decoding.
   */
  private static final int BLOCK_BYTES = (256 << 10) - Batch.PADDING;

  private static final int LEAST_BLOCK_BYTES = 64;
  private static final int HEADER_BYTES = 8 << 10;

  private final FormatOptions options;
  private final ReaderScope scope;
  private final Buffers buffers;
  private final int blockBytes;

  private RecordReader records;
  private byte[] block = new byte[0];
  private int capacity;
  private int filled;
  private long offset;

  Feed(FormatOptions options, ReaderScope scope) {
    this.options = options;
    this.scope = scope;
    this.buffers = scope.buffers();
    this.blockBytes = Math.min(BLOCK_BYTES, Math.max(LEAST_BLOCK_BYTES, scope.maxBatchBytes()));
    this.records = reader();
  }

  private RecordReader reader() {
    return Formats.reader(options, buffers, this::warn);
  }

  private void warn(Problem oddity) {
    String suggestion = oddity.suggestion();
    scope.warn(suggestion == null ? oddity.message() : oddity.message() + "; " + suggestion);
  }

  /** Begins with a file, at its start. */
  void begin() {
    begin(0);
  }

  private void begin(long place) {
    records = reader();
    offset = place;
    filled = 0;
    if (block.length == 0) {
      capacity = blockBytes;
      block = buffers.bytes(capacity + Batch.PADDING);
    }
  }

  /**
   * Begins with a file in its middle, at a record border.
   *
   * @param complete whether the file grows no more
   */
  void begin(FileChannel channel, long place, boolean complete) throws IOException {
    begin(place);
    if (place > 0 && readHeader(channel, complete) > place) {
      // So far there are only blank lines; the header is to come.
      records = reader();
    }
    channel.position(place);
  }

  /** Where the header ends; beyond everything if there is none yet. */
  private long readHeader(FileChannel channel, boolean complete) throws IOException {
    byte[] start = buffers.bytes(HEADER_BYTES);
    int length = 0;
    int after = -1;
    boolean end = false;
    while (after < 0 && !end) {
      if (length == start.length - Batch.PADDING) {
        byte[] larger = buffers.bytes(Math.toIntExact(2L * start.length));
        System.arraycopy(start, 0, larger, 0, length);
        buffers.give(start);
        start = larger;
      }
      int read =
          channel.read(
              ByteBuffer.wrap(start, length, start.length - Batch.PADDING - length), length);
      end = read < 0;
      length += Math.max(0, read);
      after = records.header(start, length, end && complete);
    }
    buffers.give(start);
    return after < 0 ? Long.MAX_VALUE : after;
  }

  /**
   * Reads on until the block is full or the file gives no more.
   *
   * @return how many bytes were read
   */
  int fill(FileChannel channel) throws IOException {
    int before = filled;
    int read = 0;
    while (read >= 0 && filled < capacity) {
      read = channel.read(ByteBuffer.wrap(block, filled, capacity - filled));
      filled += Math.max(0, read);
    }
    return filled - before;
  }

  /** Forgets the last bytes, which were not cut yet. */
  void unread(int bytes) {
    filled -= bytes;
  }

  boolean isFull() {
    return filled == capacity;
  }

  boolean isEmpty() {
    return filled == 0;
  }

  /** The place in the file where the block begins. */
  long offset() {
    return offset;
  }

  byte[] block() {
    return block;
  }

  /** How many bytes of the block are filled. */
  int filled() {
    return filled;
  }

  /** As {@link RecordReader#cut}. */
  int cut(boolean end) {
    return records.cut(block, filled, end);
  }

  /** Hands on what is before the border that {@link #cut} has returned. */
  Chunk chunk(Split split, int border, Offset end) {
    int left = filled - border;
    capacity = Math.max(blockBytes, 2 * left);
    byte[] next = buffers.bytes(capacity + Batch.PADDING);
    System.arraycopy(block, border, next, 0, left);
    Records taken = records.take();
    offset += border;
    block = next;
    filled = left;
    return new FileChunk(split, end, border, taken);
  }

  /** The record reader refuses records over its limit before the doubling could overflow. */
  void grow() {
    capacity = Math.toIntExact(2L * capacity);
    byte[] larger = buffers.bytes(capacity + Batch.PADDING);
    System.arraycopy(block, 0, larger, 0, filled);
    buffers.give(block);
    block = larger;
  }

  void close() {
    if (block.length > 0) {
      buffers.give(block);
      block = new byte[0];
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
