package dev.drover.transforms;

import dev.drover.formats.JsonNames;
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
 * Makes fields of the keys of objects: {@code {"a": {"b": 1}}} becomes {@code a.b}. Arrays, and
 * objects without a key, stay as they are.
 */
record Flatten(List<String> fields, String separator, int maxDepth) implements Transform {

  /** The most fields that a document may turn into. */
  static final int MAX_FIELDS = 10_000;

  static Flatten of(FlattenConfig config) {
    return new Flatten(Select.names(config.fields()), config.separator(), config.maxDepth());
  }

  @Override
  public Step step(Schema in) {
    for (String name : fields) {
      FieldPath.ofField(name).in(in);
    }
    return new Flattening(in, this);
  }

  /** A name, and the names below it, in the order in which they came. */
  private static final class Node {
    final String name;
    final byte[] key;
    final List<Node> below = new ArrayList<>();

    /** Where values are that are no object with keys; -1: there was none yet. */
    int column = -1;

    Node(String name, byte[] key) {
      this.name = name;
      this.key = key;
    }
  }

  /** Thrown when a row has a name that there is no column for yet. */
  private static final class NewName extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NewName() {
      super(null, null, false, false);
    }
  }

  private static final class Flattening implements Step {
    private final Schema in;
    private final Flatten options;
    private final @Nullable Node[] roots;
    private Schema out;
    private Cells cells;

    /** For fields that are not flattened: their columns. */
    private final int[] columns;

    private byte[] arena = {};
    private JsonScanner scanner = Operands.scanner(arena);

    Flattening(Schema in, Flatten options) {
      this.in = in;
      this.options = options;
      this.roots = new Node[in.size()];
      this.columns = new int[in.size()];
      for (int i = 0; i < in.size(); i++) {
        Field field = in.fields().get(i);
        boolean wanted =
            options.fields().isEmpty()
                ? field.type() == Type.JSON
                : options.fields().contains(field.name());
        if (wanted && field.type() != Type.JSON) {
          throw new DroverException(
              new Problem(
                  ErrorCode.INVALID_ARGUMENT,
                  "/fields",
                  "flatten takes objects, and the field '%s' is %s"
                      .formatted(Shown.cut(field.name()), Shown.type(field.type())),
                  "put a cast before it"));
        }
        roots[i] = wanted ? new Node(field.name(), new byte[0]) : null;
      }
      this.out = in;
      this.cells = new Cells(in.size());
      layOut();
    }

    /** Gives each name its column, again after a new one came. */
    private void layOut() {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < in.size(); i++) {
        Node root = roots[i];
        if (root == null) {
          columns[i] = fields.size();
          fields.add(in.fields().get(i));
        } else {
          place(root, fields);
        }
      }
      if (fields.size() > MAX_FIELDS) {
        throw new DroverException(
            new Problem(
                ErrorCode.LIMIT_EXCEEDED,
                "",
                "flatten would make more than %,d fields (max_fields)".formatted(MAX_FIELDS),
                "name the fields to flatten, or set max_depth"));
      }
      out = Select.schema(fields, true);
      cells = new Cells(out.size());
    }

    private static void place(Node node, List<Field> fields) {
      if (node.column >= 0) {
        node.column = fields.size();
        fields.add(new Field(node.name, Type.JSON));
      }
      node.below.forEach(below -> place(below, fields));
    }

    @Override
    public Batch apply(Batch batch, Rows rows) {
      arena = batch.arena();
      scanner = Operands.scanner(arena);
      while (true) {
        try {
          fill(batch);
          return cells.batch(out, batch.rows(), arena);
        } catch (NewName e) {
          layOut();
        }
      }
    }

    private void fill(Batch batch) {
      long[] source = batch.cells();
      byte[] marks = batch.marks();
      int width = out.size();
      cells.begin(batch.rows(), true);
      Arrays.fill(cells.marks, 0, batch.rows() * width, Batch.ABSENT);
      boolean isNew = false;
      for (int row = 0; row < batch.rows(); row++) {
        for (int f = 0; f < in.size(); f++) {
          int i = row * in.size() + f;
          byte mark = marks == null ? Batch.VALUE : marks[i];
          Node root = roots[f];
          if (root == null) {
            cells.cells[row * width + columns[f]] = source[i];
            cells.marks[row * width + columns[f]] = mark;
          } else if (mark == Batch.NULL) {
            isNew |= leaf(root, row, 0, mark);
          } else if (mark == Batch.VALUE) {
            int from = Batch.offset(source[i]);
            isNew |= walk(root, row, from, from + Batch.length(source[i]), options.maxDepth());
          }
        }
      }
      if (isNew) {
        throw new NewName();
      }
    }

    /** Whether it came to a name that has no column yet. */
    private boolean walk(Node node, int row, int from, int to, int depth) {
      int i = arena[from] == '{' ? scanner.space(from + 1, to) : to;
      if (depth == 0 || i == to || arena[i] == '}') {
        boolean isNull = arena[from] == 'n';
        return leaf(node, row, Batch.slice(from, to - from), isNull ? Batch.NULL : Batch.VALUE);
      }
      boolean isNew = false;
      int guess = 0;
      while (arena[i] == '"') {
        int key = i + 1;
        int keyEnd = scanner.string(key, to) - 1;
        int begin = scanner.colon(keyEnd + 1, to);
        int end = scanner.value(begin, to);
        guess = child(node, guess, key, keyEnd);
        isNew |= walk(node.below.get(guess), row, begin, end, depth - 1);
        guess++;
        i = scanner.space(end, to);
        i = arena[i] == ',' ? scanner.space(i + 1, to) : i;
      }
      return isNew;
    }

    /** Keys mostly come in the order of the row before, so that place is tried first. */
    private int child(Node node, int guess, int key, int keyEnd) {
      int count = node.below.size();
      for (int n = 0; n < count; n++) {
        int at = (guess + n) % count;
        byte[] known = node.below.get(at).key;
        if (Arrays.equals(known, 0, known.length, arena, key, keyEnd)) {
          return at;
        }
      }
      String name = node.name + options.separator() + JsonNames.of(arena, key, keyEnd);
      for (int at = 0; at < count; at++) {
        if (node.below.get(at).name.equals(name)) {
          // The same key, written with other escapes.
          return at;
        }
      }
      node.below.add(new Node(name, Arrays.copyOfRange(arena, key, keyEnd)));
      return count;
    }

    private boolean leaf(Node node, int row, long slice, byte mark) {
      if (node.column < 0) {
        node.column = 0;
        return true;
      }
      int o = row * out.size() + node.column;
      if (o < cells.cells.length && node.column < out.size()) {
        cells.cells[o] = slice;
        cells.marks[o] = mark;
      }
      return false;
    }
  }
}
