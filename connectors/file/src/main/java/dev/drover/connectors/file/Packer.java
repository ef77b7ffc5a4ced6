package dev.drover.connectors.file;

import dev.drover.formats.Compression;
import dev.drover.formats.Compressor;
import dev.drover.formats.EncodedBytes;
import dev.drover.spi.Buffers;
import dev.drover.spi.Encoder;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes compressed members. Most come from the workers; rows that were too few for a member wait
 * here for more, at most until the next commit. A file has whole members after each of its calls.
 */
final class Packer implements AutoCloseable {

  private static final int MOST_WAITING_BYTES = 4 * Compressor.LEAST_MEMBER_BYTES;

  private final Compression kind;
  private final Compressor compressor;
  private final Buffers buffers;

  private byte[] waiting = {};
  private int length;

  Packer(Packing packing, Buffers buffers) {
    this.kind = packing.kind();
    this.compressor = new Compressor(packing.kind(), packing.level(), buffers);
    this.buffers = buffers;
  }

  Encoder around(Encoder encoder) {
    return compressor.around(encoder);
  }

  /** All of the rows or, if it fails, none. */
  void write(Bytes output, EncodedBytes rows) throws IOException {
    if (rows.isPacked()) {
      flush(output);
      output.write(rows.array(), rows.length());
      return;
    }
    if (length > 0 && length + (long) rows.length() > MOST_WAITING_BYTES) {
      flush(output);
    }
    if (rows.length() > MOST_WAITING_BYTES) {
      put(output, rows.array(), rows.length());
      return;
    }
    add(rows.array(), rows.length());
  }

  /** Takes bytes that come before the rows. */
  void write(Bytes output, byte[] head) throws IOException {
    if (length + head.length > MOST_WAITING_BYTES) {
      flush(output);
      put(output, head, head.length);
    } else {
      add(head, head.length);
    }
  }

  /** How what the file holds begins: so many bytes, or all there are. */
  byte[] start(Output output, int most) throws IOException {
    byte[] start = new byte[most];
    int count = output.unpacked(kind, start);
    return Arrays.copyOf(start, count);
  }

  private void add(byte[] rows, int count) {
    if (waiting.length == 0) {
      waiting = buffers.bytes(MOST_WAITING_BYTES);
    }
    System.arraycopy(rows, 0, waiting, length, count);
    length += count;
  }

  /** Writes what waits; if that fails, it still waits. */
  void flush(Bytes output) throws IOException {
    if (length > 0) {
      put(output, waiting, length);
      length = 0;
    }
  }

  /** Writes a member of nothing if there is none; whether it did. */
  boolean seal(Bytes output) throws IOException {
    flush(output);
    if (output.end() > 0) {
      return false;
    }
    put(output, waiting, 0);
    return true;
  }

  private void put(Bytes output, byte[] bytes, int count) throws IOException {
    EncodedBytes packed = compressor.compress(bytes, count, 0);
    try {
      output.write(packed.array(), packed.length());
    } finally {
      packed.release();
    }
  }

  /**
   * Sees that what the file holds can be added to, and ends its last line.
   *
   * @throws dev.drover.spi.DroverException if it holds something else
   */
  void beginOnALine(Output output) throws IOException {
    Members members = output.members(0, kind);
    if (!members.whole()) {
      throw FileErrors.cannotAdd(
          output.path(),
          "it is no whole %s file".formatted(kind.wire()),
          "mend it, set compression to what it is, or write to another file");
    }
    if (!members.onALine()) {
      add(new byte[] {'\n'}, 1);
    }
  }

  /** Cuts off what follows the last whole member, but nothing before {@code least}. */
  void cutTorn(Output output, long least) throws IOException {
    Members members = output.members(least, kind);
    if (members.torn()) {
      output.cut(members.end());
    }
  }

  @Override
  public void close() {
    compressor.close();
    if (waiting.length > 0) {
      buffers.give(waiting);
      waiting = new byte[0];
      length = 0;
    }
  }
}
