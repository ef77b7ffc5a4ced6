package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file as it is. */
record PlainContent(FileChannel channel) implements Content {

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(into, from, length));
  }

  @Override
  public boolean seek(long place) throws IOException {
    channel.position(place);
    return true;
  }

  @Override
  public boolean isAhead() {
    return false;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
