package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of JSON objects. Every value is a field of type JSON, its text as it stands; the
 * array that the objects are in becomes the arena. The schema of a batch has the keys of its rows
 * in the order in which they come, and is open. One thread.
 *
 * <p>Rows mostly have the same keys in the same places, so the field that came after this one in
 * the row before is tried first.
 */
public final class JsonRows {

  /** The most cells of a batch: {@code max_batch_cells}. */
  static final int MAX_BATCH_CELLS = 1 << 17;

  private static final int FIRST_STRIDE = 8;

  private final byte[] block;
  private final Buffers buffers;
  private final int maxRows;
  private final JsonScanner scanner;
  private final List<long[]> takenCells = new ArrayList<>();
  private final List<byte[]> takenMarks = new ArrayList<>();

  // The batch that is being filled: `stride` cells a row, of which as many are used as there are
  // keys.
  private final List<byte[]> keys = new ArrayList<>();
  private final Map<String, Integer> fields = new HashMap<>();
  private int stride;
  private int rows;
  private boolean marked;
  private long[] cells = {};
  private byte[] marks = {};
  private long[] texts = {};
  private boolean verbatim = true;

  /** The layout of a row of this batch, or of the one before while this has none. */
  private @Nullable JsonLayout layout;

  /**
   * @param block where the objects are, with {@link Batch#PADDING} bytes behind the last
   * @param maxDepth how deep they may be nested
   * @param maxRows the most rows of a batch
   */
  public JsonRows(byte[] block, int maxDepth, int maxRows, Buffers buffers) {
    this.block = block;
    this.buffers = buffers;
    this.maxRows = maxRows;
    this.scanner = new JsonScanner(block, maxDepth);
  }

  /** Whether {@link #take} is due before another row can be added. */
  public boolean isFull() {
    int width = Math.max(stride, FIRST_STRIDE);
    return rows >= Math.max(1, Math.min(maxRows, MAX_BATCH_CELLS / width));
  }

  /** How many rows were added since the last batch. */
  public int rows() {
    return rows;
  }

  /** Where the object that was not added is wrong, an index of the block. */
  public int errorAt() {
    return scanner.errorAt();
  }

  /** What is wrong with it. */
  public String error() {
    return scanner.error();
  }

  /** The layout to try first; null: none is known. */
  void expect(@Nullable JsonLayout likely) {
    layout = likely;
  }

  @Nullable JsonLayout layout() {
    return layout;
  }

  /**
   * Adds the object on the line that begins at an index, if it looks like the rows before.
   *
   * @param limit not before the line feed that ends the line
   * @return the index of that line feed; negative: nothing was added, and {@link #add} may
   */
  int addLine(int from, int limit, int maxBytes) {
    JsonLayout likely = layout;
    if (likely == null || likely.size() == 0 || (rows > 0 && likely.size() > keys.size())) {
      return JsonLine.NO;
    }
    if (rows == 0) {
      stride = likely.size();
    }
    makeRoom();
    int base = rows * stride;
    Arrays.fill(marks, base, base + likely.size(), Batch.VALUE);
    int end = JsonLine.read(block, from, limit, likely, scanner, cells, marks, base);
    if (end < 0 || end - from > maxBytes) {
      if (rows == 0) {
        stride = 0;
      }
      return JsonLine.NO;
    }
    if (rows == 0) {
      keys.addAll(likely.keys);
      fields.putAll(likely.fields);
    }
    if (keys.size() > likely.size()) {
      Arrays.fill(marks, base + likely.size(), base + keys.size(), Batch.ABSENT);
    }
    endRow(from, end);
    return end;
  }

  JsonScanner scanner() {
    return scanner;
  }

  /**
   * Adds the object from one index to another, with white space around it if it likes.
   *
   * @return false if it is none; the rows before are as they were
   */
  public boolean add(int from, int to) {
    beginRow();
    int known = keys.size();
    if (!fill(from, to)) {
      forget(known);
      return false;
    }
    endRow(from, to);
    if (rows == 1 && (layout == null || !layout.is(keys))) {
      layout = new JsonLayout(keys, fields);
    }
    return true;
  }

  /** Keys that only a refused row has. */
  private void forget(int known) {
    fields.values().removeIf(field -> field >= known);
    keys.subList(known, keys.size()).clear();
  }

  /** Reads one object into the row; false if it is none. */
  private boolean fill(int start, int end) {
    int i = scanner.space(start, end);
    if (block[i] != '{') {
      scanner.fail(i, "a record must be a JSON object on a line of its own");
      return false;
    }
    i = scanner.space(i + 1, end);
    int field = -1;
    if (i < end && block[i] == '}') {
      return nothingAfter(i + 1, end);
    }
    while (true) {
      if (i >= end || block[i] != '"') {
        scanner.fail(
            i,
            i >= end
                ? "the record ends inside an object; a record must be on one line"
                : "a key in double quotes should be here");
        return false;
      }
      int key = i + 1;
      i = scanner.string(key, end);
      int keyEnd = i - 1;
      i = i == JsonScanner.FAILED ? i : scanner.colon(i, end);
      int value = i;
      i = i == JsonScanner.FAILED ? i : scanner.value(i, end);
      if (i == JsonScanner.FAILED) {
        return false;
      }
      field = field(key, keyEnd, field + 1);
      int cell = rows * stride + field;
      cells[cell] = Batch.slice(value, i - value);
      // Of two the last one counts, which the text as a whole does not say.
      verbatim &= marks[cell] == Batch.ABSENT;
      boolean isNull = block[value] == 'n';
      marks[cell] = isNull ? Batch.NULL : Batch.VALUE;
      marked |= isNull;
      i = scanner.space(i, end);
      if (i < end && block[i] == '}') {
        return nothingAfter(i + 1, end);
      }
      if (i >= end || block[i] != ',') {
        scanner.fail(
            i, i >= end ? "the record ends inside an object" : "a comma or } should be here");
        return false;
      }
      i = scanner.space(i + 1, end);
    }
  }

  private boolean nothingAfter(int at, int end) {
    int i = scanner.space(at, end);
    if (i < end) {
      scanner.fail(i, "there is more behind the object; a line holds one record");
    }
    return i == end;
  }

  /** The field of a key; a new one gets the next place. */
  private int field(int from, int to, int expected) {
    if (expected < keys.size()) {
      byte[] key = keys.get(expected);
      if (Arrays.equals(key, 0, key.length, block, from, to)) {
        return expected;
      }
    }
    String name = JsonNames.of(block, from, to);
    Integer known = fields.get(name);
    if (known != null) {
      return known;
    }
    int field = keys.size();
    if (field == stride) {
      widen();
    }
    fields.put(name, field);
    keys.add(Arrays.copyOfRange(block, from, to));
    // The rows before do not have it.
    for (int row = 0; row <= rows; row++) {
      marks[row * stride + field] = Batch.ABSENT;
    }
    marked |= rows > 0;
    return field;
  }

  private void beginRow() {
    if (stride == 0) {
      stride = FIRST_STRIDE;
    }
    makeRoom();
    Arrays.fill(marks, rows * stride, rows * stride + keys.size(), Batch.ABSENT);
  }

  private void makeRoom() {
    if (cells.length < (rows + 1) * stride) {
      int most = Math.max(1, Math.min(maxRows, MAX_BATCH_CELLS / stride));
      take((int) Math.min((long) most * stride, Math.max(64L, 2L * cells.length)), stride);
    }
    if (texts.length == rows) {
      long[] more = buffers.longs(Math.max(64, 2 * rows));
      System.arraycopy(texts, 0, more, 0, rows);
      takenCells.add(more);
      texts = more;
    }
  }

  private void endRow(int from, int to) {
    int first = rows * stride;
    for (int i = first; !marked && i < first + keys.size(); i++) {
      marked = marks[i] != Batch.VALUE;
    }
    int begin = scanner.space(from, to);
    int end = to;
    while (block[end - 1] != '}') {
      end--;
    }
    texts[rows] = Batch.slice(begin, end - begin);
    rows++;
  }

  /** Doubles the place that a row has. */
  private void widen() {
    take((rows + 1) * 2 * stride, 2 * stride);
  }

  /** Takes larger arrays and moves the rows there. */
  private void take(int atLeast, int newStride) {
    long[] newCells = buffers.longs(Math.max(atLeast, (rows + 1) * newStride));
    byte[] newMarks = buffers.bytes(newCells.length);
    for (int row = 0; row <= rows && cells.length > 0; row++) {
      int used = Math.min(keys.size(), stride);
      if (row * stride + used <= cells.length) {
        System.arraycopy(cells, row * stride, newCells, row * newStride, used);
        System.arraycopy(marks, row * stride, newMarks, row * newStride, used);
      }
    }
    takenCells.add(newCells);
    takenMarks.add(newMarks);
    cells = newCells;
    marks = newMarks;
    stride = newStride;
  }

  /** The rows that were added, in a batch that is valid until {@link #release}. */
  public Batch take() {
    int width = keys.size();
    for (int row = 1; row < rows && width < stride; row++) {
      System.arraycopy(cells, row * stride, cells, row * width, width);
      System.arraycopy(marks, row * stride, marks, row * width, width);
    }
    JsonLayout of = layout;
    if (of == null || !of.is(keys)) {
      of = new JsonLayout(keys, fields);
    }
    Batch batch = new Batch(of.schema, rows, block, cells, marked ? marks : null);
    if (verbatim) {
      batch = batch.withTexts(texts);
    }
    verbatim = true;
    rows = 0;
    marked = false;
    stride = 0;
    keys.clear();
    fields.clear();
    cells = new long[0];
    marks = new byte[0];
    texts = new long[0];
    return batch;
  }

  /** Gives back what the batches are made of, but not the block. */
  public void release() {
    takenCells.forEach(buffers::give);
    takenMarks.forEach(buffers::give);
    takenCells.clear();
    takenMarks.clear();
  }
}
