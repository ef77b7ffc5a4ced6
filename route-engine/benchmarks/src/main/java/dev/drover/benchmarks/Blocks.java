package dev.drover.benchmarks;

import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.RecordReader;
import dev.drover.spi.Batch;
import java.util.function.Consumer;

/** Reads a file from memory in blocks, as a connector does. */
final class Blocks {

  private static final int BLOCK_BYTES = 256 << 10;

  private Blocks() {}

  static void read(
      byte[] file, String format, Recycler buffers, Consumer<RecordReader.Records> taker) {
    RecordReader reader = Formats.reader(FormatOptions.of(format), buffers, warning -> {});
    byte[] block = buffers.bytes(BLOCK_BYTES);
    int length = 0;
    int at = 0;
    boolean end = false;
    while (!end) {
      int more = Math.min(file.length - at, BLOCK_BYTES - Batch.PADDING - length);
      System.arraycopy(file, at, block, length, more);
      at += more;
      length += more;
      end = at == file.length;
      int border = reader.cut(block, length, end);
      byte[] next = buffers.bytes(BLOCK_BYTES);
      System.arraycopy(block, border, next, 0, length - border);
      taker.accept(reader.take());
      block = next;
      length -= border;
    }
    buffers.give(block);
  }
}
