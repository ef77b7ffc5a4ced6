package dev.drover.connectors.file;

import dev.drover.formats.RecordReader.Records;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.Offset;
import dev.drover.spi.Split;

record FileChunk(Split split, Offset end, int bytes, Records records) implements Chunk {
  @Override
  public void decode(Decoded out) {
    records.decode(out);
  }

  @Override
  public void release() {
    records.release();
  }
}
