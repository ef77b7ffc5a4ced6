package dev.drover.runtime;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import java.util.Arrays;

/** A single row as JSON, for dead letters. */
final class RowJson {

  private RowJson() {}

  static byte[] of(Batch batch, int row) {
    int width = batch.schema().size();
    byte[] marks = batch.marks();
    Batch single =
        new Batch(
            batch.schema(),
            1,
            batch.arena(),
            Arrays.copyOfRange(batch.cells(), row * width, (row + 1) * width),
            marks == null ? null : Arrays.copyOfRange(marks, row * width, (row + 1) * width));
    EncodedBytes json =
        (EncodedBytes) Formats.encoder("jsonl", batch.schema(), Buffers.heap()).encode(single);
    // Without the line's end.
    return Arrays.copyOf(json.array(), json.length() - 1);
  }
}
