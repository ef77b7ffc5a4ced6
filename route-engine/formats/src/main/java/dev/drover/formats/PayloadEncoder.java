package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;

/** Writes opaque rows as they are, each on a line. A null payload makes an empty line. */
record PayloadEncoder(Buffers buffers) implements Encoder {

  static boolean takes(Schema schema) {
    return schema.size() == 1
        && schema.fields().getFirst().type() == Type.BYTES
        && schema.fields().getFirst().name().equals("payload");
  }

  @Override
  public Encoded encode(Batch batch) {
    long[] cells = batch.cells();
    byte[] marks = batch.marks();
    long expected = batch.rows();
    for (int row = 0; row < batch.rows(); row++) {
      expected += marks == null || marks[row] == Batch.VALUE ? Batch.length(cells[row]) : 0;
    }
    JsonOutput out = new JsonOutput(buffers, 0);
    out.reserve(Math.toIntExact(expected));
    for (int row = 0; row < batch.rows(); row++) {
      if (marks == null || marks[row] == Batch.VALUE) {
        out.put(batch.arena(), Batch.offset(cells[row]), Batch.length(cells[row]));
      }
      out.put('\n');
    }
    return out.done(batch.rows());
  }
}
