package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * What tells a file that is followed from another of the same name.
 *
 * @param inode its number in the file system; "-" where there is none
 * @param headBytes how many bytes from its start are hashed
 * @param headHash their hash
 */
record FileMark(String inode, int headBytes, String headHash) {

  /** More would be read again and again for nothing: the first lines differ, or nothing does. */
  static final int HEAD_BYTES = 1024;

  /** The mark of a file as it is now. */
  static FileMark of(String inode, FileChannel channel) throws IOException {
    int length = (int) Math.min(HEAD_BYTES, channel.size());
    return new FileMark(inode, length, hash(channel, length));
  }

  static String inode(Path path) {
    try {
      return String.valueOf(Files.getAttribute(path, "unix:ino"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "-";
    }
  }

  /** Whether the file still begins as this one did. */
  boolean beginsLike(FileChannel channel) throws IOException {
    return channel.size() >= headBytes && hash(channel, headBytes).equals(headHash);
  }

  /** Whether it is the same file, whatever its name. */
  boolean isAt(Path path) throws IOException {
    if (!inode.equals(inode(path))) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(path)) {
      return beginsLike(channel);
    }
  }

  private static String hash(FileChannel channel, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
      // Until the head is read.
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.flip());
    return Long.toHexString(crc.getValue());
  }
}
