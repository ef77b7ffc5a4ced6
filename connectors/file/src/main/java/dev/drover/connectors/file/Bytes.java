package dev.drover.connectors.file;

import java.io.IOException;

/** Takes bytes, one after the other. */
interface Bytes {

  /** Writes all of them. */
  void write(byte[] bytes, int length) throws IOException;

  /** How many there are. */
  long end();
}
