package dev.drover.formats;

import java.io.IOException;

/**
 * Bytes that come one after the other: those of a file, or what another source gives once it is
 * decompressed or transcoded. One thread.
 */
public interface ByteSource {

  /**
   * Waits for at least one byte and gives what is there.
   *
   * @param length how many bytes there is room for, at least 1
   * @return how many bytes were read, from 1 to {@code length}; -1 at the end, also when asked
   *     again
   * @throws dev.drover.spi.DroverException if the bytes are not what they should be; the text names
   *     the place in them, not the file
   */
  int read(byte[] into, int from, int length) throws IOException;
}
