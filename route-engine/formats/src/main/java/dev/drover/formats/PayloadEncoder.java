package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Schema;

/** Writes opaque rows as they are, each on a line. A null payload makes an empty line. */
record PayloadEncoder(Schema schema, Buffers buffers) implements Encoder {

  @Override
  public Encoded encode(Batch batch) {
    long[] cells = batch.cells();
    byte[] marks = batch.marks();
    int width = schema.size();
    int payload = Envelope.payload(schema);
    long expected = batch.rows();
    for (int row = 0, i = payload; row < batch.rows(); row++, i += width) {
      expected += marks == null || marks[i] == Batch.VALUE ? Batch.length(cells[i]) : 0;
    }
    JsonOutput out = new JsonOutput(buffers, 0);
    out.reserve(Math.toIntExact(expected));
    for (int row = 0, i = payload; row < batch.rows(); row++, i += width) {
      if (marks == null || marks[i] == Batch.VALUE) {
        out.put(batch.arena(), Batch.offset(cells[i]), Batch.length(cells[i]));
      }
      out.put('\n');
    }
    return out.done(batch.rows());
  }
}
