package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;

/** Rows as the bytes of a file. */
public final class EncodedBytes implements Encoded {

  private final Buffers buffers;
  private final byte[] bytes;
  private final int length;
  private final int rows;

  EncodedBytes(Buffers buffers, byte[] bytes, int length, int rows) {
    this.buffers = buffers;
    this.bytes = bytes;
    this.length = length;
    this.rows = rows;
  }

  /** The bytes from 0 to {@link #length}; valid until released. */
  public byte[] array() {
    return bytes;
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
