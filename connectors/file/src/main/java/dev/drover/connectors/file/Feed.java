package dev.drover.connectors.file;

import dev.drover.formats.ByteSource;
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
import dev.drover.spi.Schema;
import dev.drover.spi.Split;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** What becomes of batches whose columns are not those of the first file; null: nothing. */
  private @Nullable ByName layout;

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
    layout = null;
    if (block.length == 0) {
      capacity = blockBytes;
      block = buffers.bytes(capacity + Batch.PADDING);
    }
  }

  /**
   * Begins with a file in its middle, at a record border.
   *
   * @param content the file at its start
   * @param complete whether the file grows no more
   * @throws EOFException if the file ends before the place
   */
  void begin(Content content, long place, boolean complete) throws IOException {
    begin(place);
    if (place == 0) {
      return;
    }
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
      int read = content.read(start, length, start.length - Batch.PADDING - length);
      end = read < 0;
      length += Math.max(0, read);
      after = records.header(start, length, end && complete);
    }
    if (after < 0 || after > place) {
      // So far there are only blank lines; the header is to come.
      records = reader();
    }
    goTo(content, place, start, length);
    buffers.give(start);
  }

  /** Goes to the place; what was read already is not read again where that is not possible. */
  private void goTo(Content content, long place, byte[] start, int length) throws IOException {
    if (content.seek(place)) {
      return;
    }
    if (length > place) {
      int rest = length - (int) place;
      while (capacity < rest) {
        grow();
      }
      System.arraycopy(start, (int) place, block, 0, rest);
      filled = rest;
    }
    long left = place - length;
    while (left > 0) {
      int read = content.read(block, 0, (int) Math.min(left, capacity));
      if (read < 0) {
        throw new EOFException();
      }
      left -= read;
    }
  }

  /**
   * Reads on until the block is full or the file gives no more.
   *
   * @return how many bytes were read
   */
  int fill(ByteSource content) throws IOException {
    int before = filled;
    int read = 0;
    while (read >= 0 && filled < capacity) {
      read = content.read(block, filled, capacity - filled);
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
    return new FileChunk(
        split,
        end,
        offset - border,
        border,
        taken,
        layout,
        buffers,
        layout == null ? List.of() : new ArrayList<>(2));
  }

  /** Drops what is before the border that {@link #cut} has returned. */
  void discard(int border) {
    Records taken = records.take();
    byte[] next = buffers.bytes(capacity + Batch.PADDING);
    filled -= border;
    System.arraycopy(block, border, next, 0, filled);
    block = next;
    taken.release();
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

  /** What the header says; null if there was none yet, or the format has none. */
  @Nullable Schema schema() {
    return records.schema();
  }

  /** Gives the batches of this file another order of columns, from the next chunk on. */
  void arrange(ByName wanted) {
    layout = wanted;
  }

  private record FileChunk(
      Split split,
      Offset end,
      long start,
      int bytes,
      Records records,
      @Nullable ByName layout,
      Buffers buffers,
      List<long[]> taken)
      implements Chunk {
    @Override
    public String stream() {
      return ((FileOffset) end).file();
    }

    @Override
    public void decode(Decoded out) {
      records.decode(layout == null ? out : layout.arranging(out, buffers, taken));
    }

    @Override
    public void release() {
      taken.forEach(buffers::give);
      records.release();
    }
  }
}
