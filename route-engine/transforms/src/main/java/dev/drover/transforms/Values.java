package dev.drover.transforms;

import dev.drover.formats.JsonOutput;
import dev.drover.formats.JsonValues;
import dev.drover.spi.Batch;
import dev.drover.spi.Type;

/** Puts new values into the arena of a batch. */
final class Values {

  private Values() {}

  /** Bytes as a slice of the arena. */
  static long append(Rows rows, byte[] bytes) {
    JsonOutput out = rows.output();
    int from = out.at;
    out.put(bytes, 0, bytes.length);
    return Batch.slice(from, bytes.length);
  }

  /** A cell of any type as JSON. */
  static long asJson(Type type, long cell, Rows rows) {
    if (type == Type.JSON) {
      return cell;
    }
    byte[] arena = rows.arena();
    JsonOutput out = rows.output();
    int from = out.at;
    JsonValues.write(out, type, arena, cell);
    return Batch.slice(from, out.at - from);
  }
}
