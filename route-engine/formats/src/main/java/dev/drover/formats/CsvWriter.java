package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;

/** Writes rows of one schema as CSV. */
final class CsvWriter implements Encoder {

  private static final int LENGTH_BITS = Integer.MAX_VALUE;
  private static final int MAX_EXPECTED_BYTES = 1 << 24;

  private final int width;
  private final int[] fields;
  private final Type[] types;
  private final CsvStyle style;
  private final Buffers buffers;
  private final boolean allText;

  /**
   * @param fields for each column the index of its field; negative: there is none
   */
  CsvWriter(Schema schema, int[] fields, Type[] types, CsvStyle style, Buffers buffers) {
    this.width = schema.size();
    this.fields = fields;
    this.types = types;
    this.style = style;
    this.buffers = buffers;
    boolean text = true;
    for (int field : fields) {
      text &= field >= 0 && types[field] == Type.STRING;
    }
    this.allText = text;
  }

  @Override
  public Encoded encode(Batch batch) {
    JsonOutput out = new JsonOutput(buffers, expectedBytes(batch));
    JsonOutput scratch = new JsonOutput(Buffers.heap(), 0);
    CsvField field = new CsvField(style);
    byte[] arena = batch.arena();
    long[] cells = allText ? batch.rawCells() : batch.cells();
    byte[] marks = batch.marks();
    String lineEnd = style.lineEnd();
    byte[] nullBytes = style.nullBytes();
    for (int row = 0; row < batch.rows(); row++) {
      int start = out.at;
      for (int c = 0; c < fields.length; c++) {
        if (c > 0) {
          out.put((char) style.delimiter());
        }
        int i = row * width + fields[c];
        if (fields[c] < 0 || (marks != null && marks[i] != Batch.VALUE)) {
          out.put(nullBytes, 0, nullBytes.length);
        } else if (types[fields[c]] == Type.STRING) {
          text(out, field, arena, cells[i]);
        } else {
          value(out, scratch, field, types[fields[c]], arena, cells[i]);
        }
      }
      if (out.at == start) {
        // An empty line would be no row at all.
        out.put("\"\"");
      }
      out.put(lineEnd);
    }
    return out.done(batch.rows());
  }

  private static void text(JsonOutput out, CsvField field, byte[] arena, long cell) {
    if (cell == 0) {
      // A blank was nothing between two delimiters, and stays it.
      return;
    }
    int length = (int) cell & LENGTH_BITS;
    if ((int) cell < 0) {
      CsvField.doubled(out, arena, Batch.offset(cell), length);
    } else {
      field.write(out, arena, Batch.offset(cell), length);
    }
  }

  /** The text of JSON without its quotes. */
  private static void value(
      JsonOutput out, JsonOutput scratch, CsvField field, Type type, byte[] arena, long cell) {
    scratch.at = 0;
    int from = 0;
    int to;
    if (type == Type.JSON && arena[Batch.offset(cell)] == '"') {
      int begin = Batch.offset(cell) + 1;
      JsonStrings.unescape(arena, begin, begin + Batch.length(cell) - 2, scratch);
      to = scratch.at;
    } else {
      JsonValues.write(scratch, type, arena, cell);
      boolean quoted = type != Type.JSON && scratch.bytes[0] == '"';
      from = quoted ? 1 : 0;
      to = quoted ? scratch.at - 1 : scratch.at;
      if (type == Type.BYTES) {
        // The one backslash of its text is doubled in JSON.
        from++;
      }
    }
    scratch.reserve(Batch.PADDING);
    field.write(out, scratch.bytes, from, to - from);
  }

  private int expectedBytes(Batch batch) {
    long[] raw = batch.rawCells();
    int count = batch.rows() * width;
    long values = 0;
    if (allText && count > 0) {
      values = Math.max(0, Batch.offset(raw[count - 1]) - Batch.offset(raw[0]));
    }
    return (int) Math.min(values + 16L * count + 4096, MAX_EXPECTED_BYTES);
  }
}
