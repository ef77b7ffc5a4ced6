package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What tells the file that a place is in, also under another name: its number, and hashes of its
 * first bytes and of those before the place. Bytes that are only ever added change neither.
 *
 * @param inode its number in the file system; 0 if there is none
 * @param headLength how many of the first bytes count
 * @param tailLength how many of the bytes before the place count
 */
record FileMark(long inode, int headLength, int headHash, int tailLength, int tailHash) {

  static final int HEAD_BYTES = 1 << 10;
  static final int TAIL_BYTES = 1 << 8;

  private static final int PARTS = 5;
  private static final int HEX = 16;

  /**
   * @param parts of a text, from {@code first} on
   * @throws IllegalArgumentException if they are none
   */
  static FileMark parse(String[] parts, int first) {
    if (parts.length != first + PARTS) {
      throw new IllegalArgumentException(String.join(":", parts));
    }
    FileMark mark =
        new FileMark(
            Long.parseLong(parts[first]),
            Integer.parseInt(parts[first + 1]),
            Integer.parseUnsignedInt(parts[first + 2], HEX),
            Integer.parseInt(parts[first + 3]),
            Integer.parseUnsignedInt(parts[first + 4], HEX));
    if (!isIn(mark.headLength, HEAD_BYTES) || !isIn(mark.tailLength, TAIL_BYTES)) {
      throw new IllegalArgumentException(String.join(":", parts));
    }
    return mark;
  }

  private static boolean isIn(int length, int most) {
    return length >= 0 && length <= most;
  }

  String text() {
    return "%d:%d:%08x:%d:%08x".formatted(inode, headLength, headHash, tailLength, tailHash);
  }

  /** Whether a file has these bytes around a place. */
  boolean fits(FileChannel channel, long place) throws IOException {
    return channel.size() >= place
        && tailLength <= place
        && hash(read(channel, 0, headLength)) == headHash
        && hash(read(channel, place - tailLength, tailLength)) == tailHash;
  }

  /** So many bytes of a file, less if it ends before. */
  static byte[] read(FileChannel channel, long from, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // Until all are there, or the file ends.
    }
    return bytes.position() == count
        ? bytes.array()
        : Arrays.copyOf(bytes.array(), bytes.position());
  }

  static int hash(byte[] bytes) {
    return hash(bytes, 0, bytes.length);
  }

  static int hash(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
