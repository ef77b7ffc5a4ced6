package dev.drover.connectors.file;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.Field;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the rows of a file the columns of another: in its order, those that the file lacks as
 * absent, those that only the file has behind them. Any thread.
 */
final class ByName {

  private static final int ABSENT = -1;

  private final Schema wanted;

  /** For each wanted field its index in the file; {@link #ABSENT} if it has none. */
  private final int[] from;

  private final boolean complete;

  ByName(Schema first, Schema own) {
    List<Field> fields = new ArrayList<>(first.fields());
    List<String> names = first.fields().stream().map(Field::name).toList();
    own.fields().stream().filter(field -> !names.contains(field.name())).forEach(fields::add);
    wanted = new Schema(fields);
    List<String> ownNames = own.fields().stream().map(Field::name).toList();
    from = fields.stream().mapToInt(field -> ownNames.indexOf(field.name())).toArray();
    complete = Arrays.stream(from).noneMatch(index -> index == ABSENT);
  }

  /**
   * How two headers differ, at the first column where they do; null if they do not.
   *
   * @param first the path of the first file
   */
  static @Nullable String difference(String first, Schema expected, Schema found) {
    int common = Math.min(expected.size(), found.size());
    for (int i = 0; i < common; i++) {
      String name = found.fields().get(i).name();
      String other = expected.fields().get(i).name();
      if (!name.equals(other)) {
        return "column %d is `%s`, and `%s` in %s".formatted(i + 1, cut(name), cut(other), first);
      }
    }
    if (found.size() > common) {
      return "column %d, `%s`, is not in %s"
          .formatted(common + 1, cut(found.fields().get(common).name()), first);
    }
    if (expected.size() > common) {
      return "it lacks column %d of %s, `%s`"
          .formatted(common + 1, first, cut(expected.fields().get(common).name()));
    }
    return null;
  }

  private static String cut(String name) {
    return name.length() <= 60 ? name : name.substring(0, 60) + "…";
  }

  /**
   * Takes batches of the file and passes them on as they are wanted.
   *
   * @param taken gets the arrays that are to be given back once the batches are done with
   */
  Decoded arranging(Decoded out, Buffers buffers, List<long[]> taken) {
    return new Decoded() {
      @Override
      public void batch(Batch batch) {
        arrange(batch, out, buffers, taken);
      }

      @Override
      public void reject(RejectedRow row) {
        out.reject(row);
      }

      @Override
      public void advanced(long records, long lines) {
        out.advanced(records, lines);
      }
    };
  }

  private void arrange(Batch batch, Decoded out, Buffers buffers, List<long[]> taken) {
    int width = from.length;
    int own = batch.schema().size();
    byte[] marks = batch.marks();
    boolean raw = complete && marks == null;
    long[] given = raw ? batch.rawCells() : batch.cells();
    long[] cells = buffers.longs(Math.max(1, batch.rows() * width));
    taken.add(cells);
    byte[] arranged = raw ? null : new byte[batch.rows() * width];
    int i = 0;
    for (int row = 0; row < batch.rows(); row++) {
      for (int f = 0; f < width; f++, i++) {
        int at = row * own + from[f];
        boolean absent = from[f] == ABSENT;
        cells[i] = absent ? 0 : given[at];
        if (arranged != null) {
          arranged[i] = absent ? Batch.ABSENT : marks == null ? Batch.VALUE : marks[at];
        }
      }
    }
    out.batch(
        arranged == null
            ? Batch.raw(wanted, batch.rows(), batch.arena(), cells)
            : new Batch(wanted, batch.rows(), batch.arena(), cells, arranged));
  }
}
