package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * So many bytes of a file, with what tells them from others: hashes of the first and of the last 4
 * KiB.
 */
record Extent(long length, String head, String tail) {

  /** Nothing. */
  static final Extent EMPTY = new Extent(0, "0000000000000000", "0000000000000000");

  private static final int SAMPLE_BYTES = 4 << 10;

  /**
   * @param before of the same file, whose head need not be read again; or null
   */
  static Extent of(FileChannel channel, long length, @Nullable Extent before) throws IOException {
    int sample = (int) Math.min(length, SAMPLE_BYTES);
    String head =
        before != null && before.length >= SAMPLE_BYTES ? before.head : hash(channel, 0, sample);
    return new Extent(length, head, hash(channel, length - sample, sample));
  }

  /** Two sums of 32 bits each: one alone meets its like too easily. */
  private static String hash(FileChannel channel, long from, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // Until all are there, or the file ends.
    }
    CRC32C first = new CRC32C();
    first.update(bytes.array(), 0, bytes.position());
    CRC32 second = new CRC32();
    second.update(bytes.array(), 0, bytes.position());
    return String.format("%08x%08x", first.getValue(), second.getValue());
  }
}
