package dev.drover.connectors.file;

import dev.drover.formats.ByteSource;
import java.io.IOException;

/** The bytes that a file stands for: its own, or what is compressed in it. One thread. */
interface Content extends ByteSource, AutoCloseable {

  /**
   * Goes to a place.
   *
   * @return false if the bytes only come one after the other; then nothing was done
   */
  boolean seek(long place) throws IOException;

  /** Whether a thread reads it ahead, so that it pays to open it before it is needed. */
  boolean isAhead();

  @Override
  void close() throws IOException;
}
