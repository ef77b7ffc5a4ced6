package dev.drover.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Decoded rows of one split and one schema, in the order of the split.
 *
 * <p>Cells are row-major: the cell of row {@code r} and field {@code f} is {@code cells[r * fields
 * + f]}. A cell of a {@link Type#isSliced() sliced} type is made by {@link #slice} and points into
 * the arena; a cell of any other type is the value itself, as {@link Type} says. The arrays may be
 * longer than what is used, and the arena always has {@link #PADDING} bytes past its last slice
 * that may be read (their content means nothing).
 *
 * <p>A batch is handed from stage to stage and used by one thread at a time. It is valid until the
 * chunk that it came from is released; who wants to keep rows for longer copies them.
 */
public final class Batch {

  /** Bytes that may be read past the end of the last slice, so that 8-byte loads need no check. */
  public static final int PADDING = 64;

  /** Mark of a cell that holds a value. */
  public static final byte VALUE = 0;

  /** Mark of a null cell. */
  public static final byte NULL = 1;

  /** Mark of a field that the row does not have, as in a JSON object without the key. */
  public static final byte ABSENT = 2;

  /**
   * Bit of a {@linkplain #rawCells raw cell}: the slice is the inside of a quoted CSV field as it
   * stands in the file, in which every {@code "} is written twice, side by side.
   */
  public static final long DOUBLED_QUOTES = 1L << 31;

  /**
   * The cell of a field that has no text and no quotes in CSV: empty text, and nothing to every
   * type but text. Empty text in quotes is an empty slice elsewhere.
   */
  public static final long BLANK = 0;

  private final Schema schema;
  private final int rows;
  private final byte[] arena;
  private final long[] cells;
  private final byte @Nullable [] marks;
  private boolean raw;
  private long @Nullable [] texts;

  /**
   * @param marks a mark for each cell, or null if all cells are values
   */
  public Batch(Schema schema, int rows, byte[] arena, long[] cells, byte @Nullable [] marks) {
    this(schema, rows, arena, cells, marks, false);
  }

  private Batch(
      Schema schema, int rows, byte[] arena, long[] cells, byte @Nullable [] marks, boolean raw) {
    int needed = Math.multiplyExact(rows, schema.size());
    if (cells.length < needed || (marks != null && marks.length < needed)) {
      throw new IllegalArgumentException(
          "%d rows of %d fields do not fit into %d cells"
              .formatted(rows, schema.size(), cells.length));
    }
    this.schema = schema;
    this.rows = rows;
    this.arena = arena;
    this.cells = cells;
    this.marks = marks;
    this.raw = raw;
  }

  /**
   * A batch whose fields are all sliced and whose cells may have the bit {@link #DOUBLED_QUOTES}.
   * It is for decoders of CSV: an encoder that knows the bit saves the work of undoing the
   * doubling; everybody else never sees it.
   */
  public static Batch raw(Schema schema, int rows, byte[] arena, long[] cells) {
    return new Batch(schema, rows, arena, cells, null, true);
  }

  /** The same with a mark for each cell. */
  public static Batch raw(
      Schema schema, int rows, byte[] arena, long[] cells, byte @Nullable [] marks) {
    return new Batch(schema, rows, arena, cells, marks, true);
  }

  /** The cell of a sliced type: {@code length} bytes of the arena from {@code offset}. */
  public static long slice(int offset, int length) {
    return ((long) offset << 32) | length;
  }

  /** Where in the arena the slice begins. */
  public static int offset(long slice) {
    return (int) (slice >>> 32);
  }

  /** The number of bytes of the slice. */
  public static int length(long slice) {
    return (int) slice;
  }

  public Schema schema() {
    return schema;
  }

  public int rows() {
    return rows;
  }

  /** The bytes that the slices point into; shared, not a copy. */
  public byte[] arena() {
    return arena;
  }

  /** The cells, row-major; shared, not a copy. */
  public long[] cells() {
    if (raw) {
      undouble();
    }
    return cells;
  }

  /** As {@link #cells}, but a cell may still have the bit {@link #DOUBLED_QUOTES}. */
  public long[] rawCells() {
    return cells;
  }

  /** A mark for each cell, or null if all cells are values; shared, not a copy. */
  public byte @Nullable [] marks() {
    return marks;
  }

  /**
   * The same rows, which stand in the arena as JSON objects. It is for decoders of JSON: an encoder
   * that writes JSON may copy them, and says the same then as the cells do.
   *
   * @param objects for each row the slice with its object, in the order of the arena
   */
  public Batch withTexts(long[] objects) {
    Batch batch = new Batch(schema, rows, arena, cells, marks, raw);
    batch.texts = objects;
    return batch;
  }

  /** For each row the slice of the JSON object that it is; null if there is none. */
  public long @Nullable [] texts() {
    return texts;
  }

  /** The cell of a row and field, both counted from 0. Not for hot paths. */
  public long cell(int row, int field) {
    return cells()[row * schema.size() + field];
  }

  /** {@link #VALUE}, {@link #NULL} or {@link #ABSENT}. Not for hot paths. */
  public byte mark(int row, int field) {
    return marks == null ? VALUE : marks[row * schema.size() + field];
  }

  /** The text of a sliced cell as UTF-8, null if the cell holds no value. Not for hot paths. */
  public @Nullable String text(int row, int field) {
    if (mark(row, field) != VALUE) {
      return null;
    }
    long cell = cell(row, field);
    return new String(arena, offset(cell), length(cell), UTF_8);
  }

  /** Makes raw cells plain ones; what a slice loses at its end stays unused. */
  private void undouble() {
    int used = rows * schema.size();
    for (int i = 0; i < used; i++) {
      long cell = cells[i];
      if ((cell & DOUBLED_QUOTES) != 0) {
        int from = offset(cell);
        cells[i] = slice(from, DoubledQuotes.undo(arena, from, length(cell & ~DOUBLED_QUOTES)));
      }
    }
    raw = false;
  }
}
