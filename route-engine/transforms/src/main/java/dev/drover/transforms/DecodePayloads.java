package dev.drover.transforms;

import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.JsonRows;
import dev.drover.formats.Utf8;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import java.util.ArrayList;
import java.util.List;

/** Makes fields of opaque payloads, which must be JSON objects; other rows pass as they are. */
record DecodePayloads() implements Transform {

  @Override
  public Step step(Schema in) {
    int payload = Formats.payload(in);
    return payload < 0 ? (batch, rows) -> batch : new Decoding(in, payload);
  }

  private static final class Decoding implements Step {
    private final Schema in;
    private final int payload;

    Decoding(Schema in, int payload) {
      this.in = in;
      this.payload = payload;
    }

    @Override
    public Batch apply(Batch batch, Rows rows) {
      byte[] arena = batch.arena();
      JsonRows objects =
          new JsonRows(arena, FormatOptions.DEFAULT_MAX_DEPTH, batch.rows(), Buffers.heap());
      List<Integer> kept = new ArrayList<>();
      for (int row = 0; row < batch.rows(); row++) {
        String why = add(objects, batch, row, arena);
        if (why.isEmpty()) {
          kept.add(row);
          rows.from(row);
        } else {
          rows.refuse(row, ErrorCode.INVALID_JSON, why);
        }
      }
      Batch fields = objects.take();
      return in.size() == 1 ? fields : withMetadata(batch, fields, kept);
    }

    /** What is wrong with the row; empty if it was added. */
    private String add(JsonRows objects, Batch batch, int row, byte[] arena) {
      if (batch.mark(row, payload) != Batch.VALUE) {
        return "the payload is null, and fields are wanted";
      }
      long cell = batch.cell(row, payload);
      int from = Batch.offset(cell);
      int to = from + Batch.length(cell);
      if (Utf8.firstInvalid(arena, from, to) >= 0) {
        return "the payload is no UTF-8, and fields are wanted";
      }
      if (from == to || !objects.add(from, to)) {
        return "the payload '%s' is no JSON object, and fields are wanted"
            .formatted(Shown.value(arena, from, to - from));
      }
      return "";
    }

    private Batch withMetadata(Batch batch, Batch fields, List<Integer> kept) {
      List<Field> all = new ArrayList<>(fields.schema().fields());
      List<Integer> sources = new ArrayList<>();
      for (int f = 0; f < in.size(); f++) {
        Field field = in.fields().get(f);
        // A field of the payload has the name; it counts.
        if (f != payload && fields.schema().indexOf(field.name()) < 0) {
          all.add(field);
          sources.add(f);
        }
      }
      int own = fields.schema().size();
      int width = all.size();
      Cells cells = new Cells(width);
      cells.begin(kept.size(), true);
      for (int row = 0; row < kept.size(); row++) {
        for (int f = 0; f < width; f++) {
          boolean ofPayload = f < own;
          int from = ofPayload ? row : kept.get(row);
          int field = ofPayload ? f : sources.get(f - own);
          Batch source = ofPayload ? fields : batch;
          cells.cells[row * width + f] = source.cell(from, field);
          cells.marks[row * width + f] = source.mark(from, field);
        }
      }
      return cells.batch(new Schema(all, true), kept.size(), batch.arena());
    }
  }
}
