package dev.drover.connectors.file;

import dev.drover.formats.Compression;
import dev.drover.formats.Decompressor;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * What is in a compressed file that is to be added to.
 *
 * @param end where the last whole member ends
 * @param whole whether nothing follows it
 * @param torn whether what follows it is the beginning of a member
 * @param onALine whether what is in the members ends with a line, or is empty
 */
record Members(long end, boolean whole, boolean torn, boolean onALine) {

  private static final int BUFFER_BYTES = 64 << 10;

  /**
   * Decompresses a file to see.
   *
   * @param from where a member begins, or the file ends
   */
  static Members read(FileChannel channel, long from, Compression kind) throws IOException {
    long[] at = {from};
    byte last = '\n';
    byte lastWhole = '\n';
    long border = 0;
    byte[] bytes = new byte[BUFFER_BYTES];
    if (channel.size() <= from) {
      return new Members(from, true, false, true);
    }
    try (Decompressor members =
        new Decompressor(
            (into, index, length) -> {
              int read = channel.read(ByteBuffer.wrap(into, index, length), at[0]);
              at[0] += Math.max(0, read);
              return read;
            },
            Decompressor.Settings.of(kind, ""))) {
      try {
        int read;
        while ((read = members.read(bytes, 0, bytes.length)) >= 0) {
          if (members.border() > border) {
            border = members.border();
            lastWhole = last;
          }
          last = bytes[read - 1];
        }
        return new Members(from + members.border(), true, false, last == '\n');
      } catch (DroverException e) {
        if (e.code() != ErrorCode.CORRUPT_INPUT) {
          throw e;
        }
        if (members.border() > border) {
          border = members.border();
          lastWhole = last;
        }
        return new Members(from + border, false, members.isTruncated(), lastWhole == '\n');
      }
    }
  }
}
