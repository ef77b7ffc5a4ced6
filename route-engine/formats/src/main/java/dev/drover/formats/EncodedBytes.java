package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;

/** Rows as the bytes of a file. */
public final class EncodedBytes implements Encoded {

  private final Buffers buffers;
  private final byte[] bytes;
  private final int length;
  private final int rows;
  private final boolean packed;

  EncodedBytes(Buffers buffers, byte[] bytes, int length, int rows) {
    this(buffers, bytes, length, rows, false);
  }

  EncodedBytes(Buffers buffers, byte[] bytes, int length, int rows, boolean packed) {
    this.buffers = buffers;
    this.bytes = bytes;
    this.length = length;
    this.rows = rows;
    this.packed = packed;
  }

  /** The bytes from 0 to {@link #length}; valid until released. */
  public byte[] array() {
    return bytes;
  }

  /** Whether the bytes are whole compressed members, made by a {@link Compressor}. */
  public boolean isPacked() {
    return packed;
  }

  public int length() {
    return length;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long bytes() {
    return length;
  }

  @Override
  public void release() {
    buffers.give(bytes);
  }
}
