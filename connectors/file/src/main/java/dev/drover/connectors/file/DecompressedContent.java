package dev.drover.connectors.file;

import dev.drover.formats.Decompressor;
import dev.drover.formats.ReadAhead;
import dev.drover.spi.Buffers;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** What is compressed in a file, decompressed on a thread of its own. */
final class DecompressedContent implements Content {

  private final FileChannel channel;
  private final ReadAhead ahead;

  DecompressedContent(FileChannel channel, Decompressor.Settings settings, Buffers buffers) {
    this.channel = channel;
    ahead = new ReadAhead("file", () -> new Opened(channel, settings), buffers);
  }

  private static final class Opened implements ReadAhead.Opened {

    private final Decompressor decompressor;

    Opened(FileChannel channel, Decompressor.Settings settings) {
      decompressor = new Decompressor(new PlainContent(channel), settings);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      return decompressor.read(into, from, length);
    }

    @Override
    public void close() {
      decompressor.close();
    }
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    return ahead.read(into, from, length);
  }

  @Override
  public boolean seek(long place) {
    return false;
  }

  @Override
  public boolean isAhead() {
    return true;
  }

  @Override
  public void close() throws IOException {
    ahead.close();
    channel.close();
  }
}
