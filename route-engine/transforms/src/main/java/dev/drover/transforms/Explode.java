package dev.drover.transforms;

import dev.drover.formats.JsonScanner;
import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a row of each element of an array. An array that is a whole field gives way to its element;
 * one inside a document stays, and its element is a new field.
 */
record Explode(FieldPath path, @Nullable String as, boolean keepEmpty) implements Transform {

  static Explode of(ExplodeConfig config) {
    try {
      return new Explode(FieldPath.parse(config.field()), config.as(), config.keepEmpty());
    } catch (DroverException e) {
      throw new DroverException(e.problem().under("/field"));
    }
  }

  @Override
  public Step step(Schema in) {
    FieldPath.Place place = path.in(in);
    List<Field> fields = new ArrayList<>(in.fields());
    int target = in.size();
    if (place != null && place.inside().isEmpty()) {
      target = place.field();
      Field old = in.fields().get(target);
      if (old.type() != Type.JSON) {
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_ARGUMENT,
                "",
                "explode takes an array, and the field '%s' is %s"
                    .formatted(Shown.cut(old.name()), Shown.type(old.type())),
                "put a cast before it: {\"cast\": {\"schema\": {\"properties\": {\"%s\": {\"type\": \"array\"}}}}}"
                    .formatted(old.name())));
      }
      fields.set(target, new Field(as == null ? old.name() : as, Type.JSON, old.role()));
    } else {
      fields.add(new Field(as == null ? path.text() : as, Type.JSON));
    }
    return new Exploding(in.size(), Select.schema(fields, in.open()), place, target, keepEmpty);
  }

  private static final class Exploding implements Step {
    private final int inWidth;
    private final Schema out;
    private final FieldPath.@Nullable Place place;
    private final int target;
    private final boolean keepEmpty;
    private final Cells cells;

    /** The metadata that tells rows apart; -1 if there is none. */
    private final int id;

    private int made;

    Exploding(
        int inWidth, Schema out, FieldPath.@Nullable Place place, int target, boolean keepEmpty) {
      this.inWidth = inWidth;
      this.out = out;
      this.place = place;
      this.target = target;
      this.keepEmpty = keepEmpty;
      this.cells = new Cells(out.size());
      int id = out.indexOf(MessageIds.NAME);
      this.id = id >= 0 && out.fields().get(id).role() == Field.Role.METADATA ? id : -1;
    }

    @Override
    public Batch apply(Batch in, Rows rows) {
      byte[] arena = in.arena();
      JsonScanner scanner = Operands.scanner(arena);
      long[] source = in.cells();
      byte[] marks = in.marks();
      cells.begin(in.rows(), true);
      made = 0;
      for (int row = 0; row < in.rows(); row++) {
        long array = Documents.NOTHING;
        if (place != null) {
          int i = row * inWidth + place.field();
          if (marks == null || marks[i] == Batch.VALUE) {
            array = Documents.find(arena, scanner, source[i], place.inside());
          }
        }
        int from = array == Documents.NOTHING ? 0 : Batch.offset(array);
        if (array == Documents.NOTHING || arena[from] == 'n') {
          none(in, row, rows);
        } else if (arena[from] == '[') {
          elements(in, scanner, row, from, from + Batch.length(array), rows);
        } else {
          rows.refuse(
              row,
              ErrorCode.INVALID_VALUE,
              "explode: '%s' is no array".formatted(Shown.value(arena, from, Batch.length(array))));
        }
      }
      return cells.batch(out, made, rows.arena());
    }

    private void elements(Batch in, JsonScanner scanner, int row, int from, int to, Rows rows) {
      byte[] arena = in.arena();
      int i = scanner.space(from + 1, to);
      if (arena[i] == ']') {
        none(in, row, rows);
        return;
      }
      for (int n = 0; arena[i] != ']'; n++) {
        int end = scanner.value(i, to);
        int o = next(in, row, rows);
        int named = o - target + id;
        if (id >= 0 && n > 0 && cells.marks[named] == Batch.VALUE) {
          cells.cells[named] = MessageIds.derived(arena, cells.cells[named], n, rows.output());
        }
        cells.cells[o] = Batch.slice(i, end - i);
        cells.marks[o] = arena[i] == 'n' ? Batch.NULL : Batch.VALUE;
        i = scanner.space(end, to);
        i = arena[i] == ',' ? scanner.space(i + 1, to) : i;
      }
    }

    private void none(Batch in, int row, Rows rows) {
      if (keepEmpty) {
        int o = next(in, row, rows);
        cells.marks[o] = Batch.NULL;
      }
    }

    /** Copies the row once more; the index of the target's cell. */
    private int next(Batch in, int row, Rows rows) {
      int width = out.size();
      cells.grow(made + 1);
      int o = made * width;
      System.arraycopy(in.cells(), row * inWidth, cells.cells, o, inWidth);
      byte[] marks = in.marks();
      if (marks == null) {
        Arrays.fill(cells.marks, o, o + inWidth, Batch.VALUE);
      } else {
        System.arraycopy(marks, row * inWidth, cells.marks, o, inWidth);
      }
      rows.from(row);
      made++;
      return o + target;
    }
  }
}
