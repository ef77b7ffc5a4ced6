package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.Encoder;
import dev.drover.spi.Schema;

/** Rows on lines of their own, with nothing before the first. */
record LineFormat(String format, Buffers buffers) implements RowFormat {

  @Override
  public byte[] head(Schema first) {
    return new byte[0];
  }

  @Override
  public byte[] head() {
    return new byte[0];
  }

  @Override
  public void goOn(byte[] start) {
    // Any line can follow any other.
  }

  @Override
  public Encoder encoder(Schema schema) {
    return Formats.encoder(format, schema, buffers);
  }
}
