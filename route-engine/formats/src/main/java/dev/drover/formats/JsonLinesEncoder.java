package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.Arrays;
import java.util.List;

/**
 * Writes each row as a JSON object on a line of its own, its fields in the order of the schema.
 * Metadata fields are left out, so are absent ones.
 *
 * <p>Rows take {@link #textRows} or {@link #mixedRows}, which are hot: what stands between two
 * values, from the closing quote of one to the opening quote of the next, is prepared and copied
 * eight bytes at a time. Rows that lack a field, or have metadata, take the plain {@link #rows}.
 */
final class JsonLinesEncoder implements Encoder {

  private static final int LENGTH_BITS = Integer.MAX_VALUE;
  private static final int MAX_EXPECTED_BYTES = 1 << 24;

  /** Room for the last line end and what a store may touch. */
  private static final int OVER = 64;

  /** Rows of one call: what is called often is compiled sooner than what loops for long. */
  private static final int ROWS_AT_ONCE = 16;

  // Forms of values. Fixed ones take few bytes.
  private static final byte TEXT = 0;
  private static final byte DOCUMENT = 1;
  private static final byte FIXED = 2;
  private static final byte DIGITS = 3;
  private static final byte OTHER = 4;

  private final Schema schema;
  private final Buffers buffers;

  /** For rows of any type: {@code "name":}. */
  private final byte[][] keys;

  private final boolean allText;
  private final boolean plain;
  private final Type[] types;

  /** How the values of a field are written: {@link #TEXT} and so on. */
  private final byte[] forms;

  /** What stands before each value and after the last, {@code stride} longs each. */
  private final long[] joints;

  private final int[] jointBytes;
  private final int stride;

  /** How long the rows of the last batch were; any worker's, as it is only a guess. */
  private volatile int rowBytes;

  /** The joint before a value, the last joint, and what a store may touch past each. */
  private final int slack;

  JsonLinesEncoder(Schema schema, Buffers buffers) {
    this.schema = schema;
    this.buffers = buffers;
    List<Field> fields = schema.fields();
    int width = fields.size();
    keys = new byte[width][];
    byte[][] texts = new byte[width + 1][];
    int longest = 0;
    types = new Type[width];
    forms = new byte[width];
    String quote = "";
    for (int f = 0; f < width; f++) {
      types[f] = fields.get(f).type();
      forms[f] = form(types[f]);
      String key = '"' + escaped(fields.get(f).name()) + "\":";
      keys[f] = key.getBytes(UTF_8);
      String before = f == 0 ? "{" : quote + ',';
      quote = types[f] == Type.STRING ? "\"" : "";
      texts[f] = (before + key + quote).getBytes(UTF_8);
      longest = Math.max(longest, texts[f].length);
    }
    texts[width] = (quote + "}\n").getBytes(UTF_8);
    plain = width > 0 && fields.stream().allMatch(f -> f.role() != Field.Role.METADATA);
    allText = plain && fields.stream().allMatch(f -> f.type() == Type.STRING);
    stride = longest / Long.BYTES + 2;
    slack = stride * Long.BYTES + 2 * JsonOutput.OVERRUN;
    joints = new long[stride * (width + 1)];
    jointBytes = new int[width + 1];
    for (int f = 0; f <= width; f++) {
      byte[] padded = new byte[stride * Long.BYTES];
      System.arraycopy(texts[f], 0, padded, 0, texts[f].length);
      jointBytes[f] = texts[f].length;
      for (int i = 0; i < stride; i++) {
        joints[f * stride + i] = Swar.load(padded, i * Long.BYTES);
      }
    }
  }

  private static byte form(Type type) {
    return switch (type) {
      case STRING -> TEXT;
      case JSON -> DOCUMENT;
      case BOOL, INT64, DATE, TIME, TIMESTAMP, TIMESTAMPTZ -> FIXED;
      case DECIMAL -> DIGITS;
      case FLOAT32, FLOAT64, BYTES, UUID -> OTHER;
    };
  }

  private static String escaped(String name) {
    byte[] in = (name + "\0".repeat(Long.BYTES)).getBytes(UTF_8);
    int length = in.length - Long.BYTES;
    byte[] out = new byte[length * JsonText.GROWTH + Long.BYTES];
    return new String(out, 0, JsonText.write(in, 0, length, out, 0), UTF_8);
  }

  @Override
  public Encoded encode(Batch batch) {
    long[] texts = batch.texts();
    if (texts != null) {
      return copied(batch, texts);
    }
    JsonOutput out = new JsonOutput(buffers, expectedBytes(batch));
    byte[] marks = batch.marks();
    if (allText && marks == null) {
      textRows(batch, out);
    } else if (plain
        && (marks == null || !holds(marks, 0, batch.rows() * schema.size(), Batch.ABSENT))) {
      mixedRows(batch, out);
    } else {
      rows(batch, out);
    }
    if (batch.rows() > 0) {
      rowBytes = out.at / batch.rows();
    }
    return out.done(batch.rows());
  }

  /** Rows that are JSON already: those that stand on lines one below the other at once. */
  private EncodedBytes copied(Batch batch, long[] texts) {
    byte[] arena = batch.arena();
    int rows = batch.rows();
    int all = rows == 0 ? 0 : end(texts[rows - 1]) - Batch.offset(texts[0]);
    JsonOutput out = new JsonOutput(buffers, Math.max(0, all) + OVER);
    int row = 0;
    while (row < rows) {
      int from = Batch.offset(texts[row]);
      int to = end(texts[row]);
      row++;
      while (row < rows && Batch.offset(texts[row]) == to + 1 && arena[to] == '\n') {
        to = end(texts[row]);
        row++;
      }
      out.put(arena, from, to - from);
      out.put('\n');
    }
    return out.done(rows);
  }

  private static int end(long slice) {
    return Batch.offset(slice) + Batch.length(slice);
  }

  private static boolean holds(byte[] marks, int from, int to, byte mark) {
    for (int i = from; i < to; i++) {
      if (marks[i] == mark) {
        return true;
      }
    }
    return false;
  }

  private void mixedRows(Batch batch, JsonOutput output) {
    output.reserve(slack);
    int width = schema.size();
    int rows = batch.rows();
    long[] cells = batch.cells();
    byte[] arena = batch.arena();
    byte[] marks = batch.marks();
    for (int row = 0; row < rows; row += ROWS_AT_ONCE) {
      int to = Math.min(row + ROWS_AT_ONCE, rows);
      if (marks == null || !holds(marks, row * width, to * width, Batch.NULL)) {
        fullRows(arena, cells, row, to, output);
      } else {
        rowsWithNulls(arena, cells, marks, row, to, output);
      }
    }
  }

  /** Rows that have a value in every field. */
  private void fullRows(byte[] arena, long[] cells, int from, int to, JsonOutput output) {
    int width = types.length;
    byte[] out = output.bytes;
    int at = output.at;
    int limit = out.length - slack;
    int i = from * width;
    for (int row = from; row < to; row++) {
      for (int f = 0; f < width; f++) {
        long cell = cells[i++];
        int length = (int) cell;
        byte form = forms[f];
        if (form == TEXT && (long) length * JsonText.GROWTH <= limit - at) {
          at = joint(f, out, at);
          at = JsonText.write(arena, Batch.offset(cell), length, out, at);
        } else if (form == FIXED && Instants.MAX_BYTES <= limit - at) {
          at = joint(f, out, at);
          at = JsonValues.fixed(out, at, types[f], cell);
        } else if (isDocument(form, arena, cell) && length <= limit - at) {
          at = joint(f, out, at);
          at = JsonText.copyDocument(arena, Batch.offset(cell), length, out, at);
        } else {
          output.at = at;
          value(f, cell, arena, output);
          at = output.at;
          out = output.bytes;
          limit = out.length - slack;
        }
      }
      at = joint(width, out, at);
    }
    output.at = at;
  }

  private static boolean isDocument(byte form, byte[] arena, long cell) {
    return form == DOCUMENT || (form == DIGITS && JsonValues.isDigits(arena, cell));
  }

  /** Writes a joint and a value that may need room, or takes its time anyway. */
  private void value(int field, long cell, byte[] arena, JsonOutput output) {
    output.reserve(slack);
    output.at = joint(field, output.bytes, output.at);
    if (forms[field] == TEXT) {
      output.text(arena, Batch.offset(cell), Batch.length(cell));
    } else {
      JsonValues.write(output, types[field], arena, cell);
    }
    output.reserve(slack);
  }

  private void rowsWithNulls(
      byte[] arena, long[] cells, byte[] marks, int from, int to, JsonOutput output) {
    int width = types.length;
    int i = from * width;
    for (int row = from; row < to; row++) {
      boolean afterNullText = false;
      for (int f = 0; f < width; f++, i++) {
        output.reserve(slack);
        putJoint(f, output, afterNullText);
        boolean isNull = marks[i] == Batch.NULL;
        afterNullText = isNull && forms[f] == TEXT;
        if (isNull) {
          output.at -= afterNullText ? 1 : 0;
          output.put("null");
        } else if (forms[f] == TEXT) {
          output.text(arena, Batch.offset(cells[i]), Batch.length(cells[i]));
        } else {
          JsonValues.write(output, types[f], arena, cells[i]);
        }
      }
      output.reserve(slack);
      putJoint(width, output, afterNullText);
    }
  }

  /**
   * @param afterNullText whether the value before is a null, of whose quotes the joint has one
   */
  private void putJoint(int field, JsonOutput output, boolean afterNullText) {
    if (afterNullText) {
      int over = output.at - 1;
      byte last = output.bytes[over];
      output.at = joint(field, output.bytes, over);
      output.bytes[over] = last;
    } else {
      output.at = joint(field, output.bytes, output.at);
    }
  }

  private void textRows(Batch batch, JsonOutput output) {
    output.reserve(slack);
    int rows = batch.rows();
    for (int row = 0; row < rows; row += ROWS_AT_ONCE) {
      textRows(batch.arena(), batch.rawCells(), row, Math.min(row + ROWS_AT_ONCE, rows), output);
    }
  }

  private void textRows(byte[] arena, long[] cells, int from, int to, JsonOutput output) {
    int width = schema.size();
    byte[] out = output.bytes;
    int at = output.at;
    int limit = out.length - slack;
    int i = from * width;
    for (int row = from; row < to; row++) {
      for (int f = 0; f < width; f++) {
        long cell = cells[i++];
        int length = (int) cell & LENGTH_BITS;
        if ((long) length * JsonText.GROWTH > limit - at) {
          output.at = at;
          makeRoom(f, cell, arena, output);
          at = output.at;
          out = output.bytes;
          limit = out.length - slack;
          if (length > JsonOutput.PIECE_BYTES) {
            continue;
          }
        }
        at = joint(f, out, at);
        at =
            (int) cell < 0
                ? JsonText.writeDoubled(arena, Batch.offset(cell), length, out, at)
                : JsonText.write(arena, Batch.offset(cell), length, out, at);
      }
      at = joint(width, out, at);
    }
    output.at = at;
  }

  /** Grows the output for a text that may not fit; a long one is written too. */
  private void makeRoom(int field, long cell, byte[] arena, JsonOutput output) {
    int length = (int) cell & LENGTH_BITS;
    if (length <= JsonOutput.PIECE_BYTES) {
      output.reserve(slack + length * JsonText.GROWTH);
      return;
    }
    output.reserve(slack);
    output.at = joint(field, output.bytes, output.at);
    if ((int) cell < 0) {
      output.doubledText(arena, Batch.offset(cell), length);
    } else {
      output.text(arena, Batch.offset(cell), length);
    }
    output.reserve(slack);
  }

  private int joint(int field, byte[] out, int at) {
    int first = field * stride;
    int length = jointBytes[field];
    Swar.store(out, at, joints[first]);
    Swar.store(out, at + Long.BYTES, joints[first + 1]);
    for (int i = 2 * Long.BYTES; i < length; i += Long.BYTES) {
      Swar.store(out, at + i, joints[first + (i >>> 3)]);
    }
    return at + length;
  }

  private void rows(Batch batch, JsonOutput out) {
    List<Field> fields = schema.fields();
    byte[] arena = batch.arena();
    long[] cells = batch.cells();
    byte[] marks = batch.marks();
    int i = 0;
    for (int row = 0; row < batch.rows(); row++) {
      char before = '{';
      for (int f = 0; f < keys.length; f++, i++) {
        byte mark = marks == null ? Batch.VALUE : marks[i];
        Field field = fields.get(f);
        if (mark == Batch.ABSENT || field.role() == Field.Role.METADATA) {
          continue;
        }
        out.put(before);
        before = ',';
        out.put(keys[f], 0, keys[f].length);
        if (mark == Batch.NULL) {
          out.put("null");
        } else {
          JsonValues.write(out, field.type(), arena, cells[i]);
        }
      }
      out.put(before == '{' ? "{}\n" : "}\n");
    }
  }

  /** A guess at the size that is rarely too small: after the first batch, as large as rows were. */
  private int expectedBytes(Batch batch) {
    int rows = batch.rows();
    long known = rowBytes;
    if (known > 0) {
      known += (known >> 4) + 1;
    } else {
      known = Arrays.stream(jointBytes).sum() + batch.arena().length / Math.max(1L, rows);
    }
    long expected = known * rows + JsonOutput.PIECE_BYTES * JsonText.GROWTH;
    return (int) Math.min(expected, MAX_EXPECTED_BYTES);
  }
}
