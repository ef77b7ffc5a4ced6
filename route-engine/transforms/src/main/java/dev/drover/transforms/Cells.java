package dev.drover.transforms;

import dev.drover.spi.Batch;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Schema;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cells of a step's result: arrays that are used again for each batch. */
final class Cells {

  private final int width;

  long[] cells = {};
  byte[] marks = {};
  private boolean marked;
  private int rows;

  Cells(int width) {
    this.width = width;
  }

  /** Makes room for so many rows, all of them values, and forgets what was there. */
  void begin(int atMost) {
    begin(atMost, false);
  }

  /**
   * @param withMarks whether marks will be written straight into {@link #marks}
   */
  void begin(int atMost, boolean withMarks) {
    int needed = Math.multiplyExact(atMost, width);
    if (cells.length < needed) {
      cells = new long[needed];
      marks = new byte[needed];
    } else if (marked) {
      Arrays.fill(marks, 0, Math.min(marks.length, Math.multiplyExact(rows, width)), Batch.VALUE);
    }
    marked = withMarks;
    rows = atMost;
  }

  /** More rows than were thought of at first; what is there stays. */
  void grow(int atLeast) {
    int needed = Math.multiplyExact(atLeast, width);
    if (cells.length < needed) {
      int size = Math.max(needed, 2 * cells.length);
      cells = Arrays.copyOf(cells, size);
      marks = Arrays.copyOf(marks, size);
    }
    rows = Math.max(rows, atLeast);
  }

  /**
   * Begins with the cells of a batch; the fields that come behind its own are absent.
   *
   * @param inWidth how many fields the batch has, not more than there are here
   */
  void widened(Batch in, int inWidth) {
    int count = in.rows();
    long[] from = in.cells();
    byte[] fromMarks = in.marks();
    begin(count, fromMarks != null || inWidth < width);
    if (inWidth == width) {
      System.arraycopy(from, 0, cells, 0, count * width);
      if (fromMarks != null) {
        System.arraycopy(fromMarks, 0, marks, 0, count * width);
      }
      return;
    }
    for (int row = 0; row < count; row++) {
      System.arraycopy(from, row * inWidth, cells, row * width, inWidth);
      if (fromMarks != null) {
        System.arraycopy(fromMarks, row * inWidth, marks, row * width, inWidth);
      }
      Arrays.fill(marks, row * width + inWidth, (row + 1) * width, Batch.ABSENT);
    }
  }

  /** Whether there may be a cell without a value. */
  boolean isMarked() {
    return marked;
  }

  void mark(int index, byte mark) {
    marks[index] = mark;
    marked = true;
  }

  /** Tells of the rows that are left out and closes their gaps; the number of rows that stay. */
  int compact(int count, Bad bad, Rows mapping) {
    if (!bad.any()) {
      return count;
    }
    bad.tell(mapping);
    int kept = 0;
    for (int row = 0; row < count; row++) {
      if (bad.is(row)) {
        continue;
      }
      mapping.from(row);
      if (kept != row) {
        System.arraycopy(cells, row * width, cells, kept * width, width);
        System.arraycopy(marks, row * width, marks, kept * width, width);
      }
      kept++;
    }
    return kept;
  }

  Batch batch(Schema schema, int count, byte[] arena) {
    byte @Nullable [] used = marked ? marks : null;
    return new Batch(schema, count, arena, cells, used);
  }

  /** Rows that are left out of a result, and why; told in the order of the rows. */
  static final class Bad {
    private record Why(ErrorCode code, String message) {}

    private final Map<Integer, Why> bad = new TreeMap<>();

    void clear() {
      bad.clear();
    }

    boolean is(int row) {
      return !bad.isEmpty() && bad.containsKey(row);
    }

    boolean any() {
      return !bad.isEmpty();
    }

    /** Only the first reason counts. */
    void add(int row, ErrorCode code, String message) {
      bad.putIfAbsent(row, new Why(code, message));
    }

    void tell(Rows rows) {
      bad.forEach((row, why) -> rows.refuse(row, why.code(), why.message()));
    }
  }
}
