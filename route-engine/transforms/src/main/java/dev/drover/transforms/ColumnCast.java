package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonOutput;
import dev.drover.formats.JsonScanner;
import dev.drover.formats.JsonShapes;
import dev.drover.formats.JsonStrings;
import dev.drover.formats.JsonValues;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Type;
import dev.drover.transforms.DocumentCast.CastOptions;
import dev.drover.transforms.SchemaNode.Kind;
import org.jspecify.annotations.Nullable;

/** Casts the cells of one field, in place, row after row. For one worker. */
final class ColumnCast {

  /** How deep a document in a text may be nested. */
  static final int MAX_DEPTH = 1000;

  private static final long NOTHING = Batch.slice(0, 0);

  private final String name;
  private final SchemaNode node;
  private final @Nullable Kind kind;
  private final Type in;
  private final Type out;
  private final boolean required;
  private final CastOptions options;
  private final DocumentCast documents;
  private final Scalars scalars;
  private final JsonShapes shapes = new JsonShapes();

  // Of the batch.
  private byte[] arena = {};
  private JsonScanner scanner = new JsonScanner(arena, MAX_DEPTH);
  private long standardCell;
  private boolean hasStandardCell;

  /** What the last cell became, unless it does not fit: then it says why. */
  private long result;

  private boolean isNull;
  private boolean standardIsNull;
  private String why = "";

  ColumnCast(
      String name,
      SchemaNode node,
      Type in,
      boolean required,
      CastOptions options,
      DocumentCast documents) {
    this.name = name;
    this.node = node;
    this.kind = node.only();
    this.in = in;
    this.required = required;
    this.options = options;
    this.documents = documents;
    this.scalars = documents.scalars();
    this.out = target(node, in);
  }

  /** The type that a field gets. */
  static Type target(SchemaNode node, Type in) {
    if (node.document()) {
      return Type.JSON;
    }
    if (node.kinds().isEmpty() && node.format() == null) {
      return in;
    }
    if (node.kinds().size() > 1) {
      return Type.JSON;
    }
    Kind kind = node.kinds().isEmpty() ? Kind.STRING : node.kinds().iterator().next();
    return switch (kind) {
      case INTEGER -> Type.INT64;
      case NUMBER -> in == Type.FLOAT32 || in == Type.FLOAT64 ? in : Type.DECIMAL;
      case BOOLEAN -> Type.BOOL;
      case OBJECT, ARRAY -> Type.JSON;
      case STRING ->
          node.format() == null
              ? Type.STRING
              : switch (node.format()) {
                case DATE_TIME -> Type.TIMESTAMPTZ;
                case LOCAL_DATE_TIME -> Type.TIMESTAMP;
                case DATE -> Type.DATE;
                case TIME -> Type.TIME;
                case UUID -> Type.UUID;
              };
    };
  }

  Type type() {
    return out;
  }

  /** Casts a field of all rows; those that do not fit are added to {@code bad}. */
  void apply(int field, int width, int count, Cells cells, Cells.Bad bad, Rows rows) {
    arena = rows.arena();
    scanner = new JsonScanner(arena, MAX_DEPTH);
    hasStandardCell = false;
    boolean anyMark = cells.isMarked();
    for (int row = 0, i = field; row < count; row++, i += width) {
      byte mark = anyMark || cells.isMarked() ? cells.marks[i] : Batch.VALUE;
      boolean fits;
      isNull = false;
      standardIsNull = false;
      if (mark == Batch.VALUE) {
        fits = value(in, cells.cells[i], rows) && (!isNull || missing(Batch.ABSENT, rows));
      } else {
        fits = missing(mark, rows);
      }
      if (!fits) {
        bad.add(row, ErrorCode.INVALID_VALUE, "field '%s': %s".formatted(Shown.cut(name), why));
      } else if (isNull) {
        cells.mark(i, mark == Batch.VALUE || standardIsNull ? Batch.NULL : mark);
      } else {
        cells.cells[i] = result;
        if (mark != Batch.VALUE) {
          cells.mark(i, Batch.VALUE);
        }
      }
    }
  }

  /**
   * A cell without a value.
   *
   * @param mark {@link Batch#ABSENT} also for an empty text that stands for nothing
   */
  private boolean missing(byte mark, Rows rows) {
    isNull = true;
    String standard = node.standard();
    if (standard != null && options.applyDefaults() && mark == Batch.ABSENT) {
      if (!hasStandardCell) {
        standardCell = Values.append(rows, standard.getBytes(UTF_8));
        renew(rows);
        hasStandardCell = true;
      }
      if (arena[Batch.offset(standardCell)] == 'n') {
        standardIsNull = true;
        return true;
      }
      isNull = false;
      return value(Type.JSON, standardCell, rows);
    }
    if (mark == Batch.NULL && in == Type.JSON && !node.nullable() && !node.kinds().isEmpty()) {
      why = DocumentCast.notA("null", node);
      return false;
    }
    if (required && !(mark == Batch.NULL && node.nullable())) {
      why = "is missing, and required";
      return false;
    }
    return true;
  }

  private boolean value(Type type, long cell, Rows rows) {
    if (type == Type.STRING) {
      int from = Batch.offset(cell);
      if (Batch.length(cell) == 0 && isNothing(cell)) {
        isNull = true;
        return true;
      }
      if (node.reachesIn() || (kind == null && !node.document() && node.format() == null)) {
        return out == Type.STRING ? same(cell) : unionOfText(cell, rows);
      }
      return text(from, from + Batch.length(cell), rows) && isChoice();
    }
    if (type != Type.JSON) {
      if (type == out) {
        result = cell;
        return isChoice();
      }
      long json = Values.asJson(type, cell, rows);
      renew(rows);
      return json(json, rows);
    }
    return json(cell, rows);
  }

  private boolean same(long cell) {
    result = cell;
    return isChoice();
  }

  /** A blank is nothing to every type but text. */
  private boolean isNothing(long cell) {
    boolean isText = out == Type.STRING || (kind == null && node.kinds().contains(Kind.STRING));
    return options.emptyToNull() || (cell == NOTHING && !isText);
  }

  /** After something was put into the arena, which may have moved. */
  @SuppressWarnings("ReferenceEquality")
  private void renew(Rows rows) {
    byte[] now = rows.arena();
    if (now != arena) {
      arena = now;
      scanner = new JsonScanner(arena, MAX_DEPTH);
    }
  }

  private boolean json(long cell, Rows rows) {
    int from = Batch.offset(cell);
    int to = from + Batch.length(cell);
    if (out == Type.JSON || kind == null) {
      if (out == Type.JSON && !node.document() && !node.reachesIn() && isOfKind(arena[from])) {
        result = cell;
        return isChoice();
      }
      if (node.kinds().isEmpty()
          && !node.document()
          && node.format() == null
          && !node.reachesIn()) {
        result = cell;
        return isChoice();
      }
      return rewritten(cell, rows);
    }
    byte first = arena[from];
    if (first == '"') {
      return jsonText(from + 1, to - 1, rows) && isChoice();
    }
    boolean digits = first == '-' || (first >= '0' && first <= '9');
    boolean fits =
        switch (kind) {
          case INTEGER -> digits && documents.isIntegral(arena, from, to);
          case NUMBER -> digits;
          case BOOLEAN -> first == 't' || first == 'f';
          case STRING -> options.coerce() && node.format() == null && first != '{' && first != '[';
          default -> false;
        };
    if (!fits) {
      return fail(from, to);
    }
    result =
        kind == Kind.INTEGER ? scalars.value : kind == Kind.BOOLEAN ? (first == 't' ? 1 : 0) : cell;
    return isChoice();
  }

  private boolean isShape(int at) {
    return (kind != Kind.OBJECT && kind != Kind.ARRAY) || isOfKind(arena[at]);
  }

  private boolean isOfKind(byte first) {
    return (kind == Kind.OBJECT && first == '{') || (kind == Kind.ARRAY && first == '[');
  }

  private boolean jsonText(int from, int to, Rows rows) {
    int begin = from;
    int end = to;
    for (int i = from; i < to; i++) {
      if (arena[i] == '\\') {
        JsonOutput output = rows.output();
        begin = output.at;
        if (!JsonStrings.unescape(arena, from, to, output)) {
          why = "half of a surrogate pair is no text";
          return false;
        }
        end = output.at;
        renew(rows);
        break;
      }
    }
    if (begin == end && options.emptyToNull()) {
      isNull = true;
      return true;
    }
    if (kind != Kind.STRING && !options.coerce()) {
      return fail(begin, end);
    }
    return text(begin, end, rows);
  }

  /** Text of a column that has one type. */
  private boolean text(int from, int to, Rows rows) {
    if (options.canonical() && !isCanonical(from, to)) {
      return fail(from, to);
    }
    if (out == Type.JSON && shapes.matches(arena, from, to)) {
      result = Batch.slice(from, to - from);
      return isShape(from) || fail(from, to);
    }
    if (out == Type.JSON) {
      int begin = scanner.space(from, to);
      int end = begin == to ? JsonScanner.FAILED : scanner.value(begin, to);
      if (end == JsonScanner.FAILED || scanner.space(end, to) < to) {
        why =
            "'%s' is no JSON document".formatted(Shown.value(arena, from, to - from))
                + (begin == to ? "" : ": " + scanner.error());
        return false;
      }
      result = Batch.slice(begin, end - begin);
      shapes.learn(arena, begin, end);
      return isShape(begin) || fail(from, to);
    }
    if (kind == Kind.STRING || kind == null) {
      if (node.format() == null) {
        result = Batch.slice(from, to - from);
        return true;
      }
      boolean loses = options.canonical() && out == Type.TIMESTAMPTZ;
      if (!documents.isFormat(node.format(), arena, from, to) || (loses && !scalars.utc)) {
        return fail(from, to);
      }
      result = out == Type.UUID ? uuid(from, rows) : scalars.value;
      return true;
    }
    if (!options.coerce()) {
      return fail(from, to);
    }
    boolean fits =
        switch (kind) {
          case INTEGER -> scalars.integer(arena, from, to);
          case NUMBER -> number(from, to);
          default -> scalars.bool(arena, from, to);
        };
    if (fits && kind != Kind.NUMBER) {
      result = scalars.value;
    }
    return fits || fail(from, to);
  }

  /**
   * Whether the value loses nothing of the text, if the text is such a value. (Of an instant this
   * is known when it was read.)
   */
  private boolean isCanonical(int from, int to) {
    return switch (out) {
      case INT64 -> Scalars.beginsCanonically(arena, from, to) && !isMinusZero(from, to);
      case DECIMAL -> Scalars.beginsCanonically(arena, from, to);
      case BOOL -> to - from > 1 && arena[from] >= 'a';
      case JSON -> from < to && (arena[from] == '{' || arena[from] == '[');
      default -> true;
    };
  }

  private boolean isMinusZero(int from, int to) {
    return to - from == 2 && arena[from] == '-' && arena[from + 1] == '0';
  }

  /** Digits as they are, without a plus or zeros in front. */
  private boolean number(int from, int to) {
    int begin = Scalars.skipPlusAndZeros(arena, from, to);
    result = Batch.slice(begin, to - begin);
    return Scalars.isNumber(arena, begin, to);
  }

  private long uuid(int from, Rows rows) {
    JsonOutput output = rows.output();
    int begin = output.at;
    output.reserve(16);
    for (int i = from; i < from + 36; i++) {
      if (arena[i] != '-') {
        int high = Character.digit(arena[i++], 16);
        output.bytes[output.at++] = (byte) (high << 4 | Character.digit(arena[i], 16));
      }
    }
    renew(rows);
    return Batch.slice(begin, 16);
  }

  private boolean unionOfText(long cell, Rows rows) {
    long json = Values.asJson(Type.STRING, cell, rows);
    renew(rows);
    return rewritten(json, rows);
  }

  private boolean rewritten(long cell, Rows rows) {
    JsonOutput output = rows.output();
    int begin = output.at;
    if (!documents.cast(arena, cell, node, output)) {
      why = documents.why();
      output.at = begin;
      return false;
    }
    result = Batch.slice(begin, output.at - begin);
    renew(rows);
    if (arena[begin] == 'n') {
      isNull = true;
    }
    return true;
  }

  private boolean isChoice() {
    if (node.choices().isEmpty() || isNull) {
      return true;
    }
    JsonOutput json = new JsonOutput(Buffers.heap(), 64);
    JsonValues.write(json, out, arena, result);
    String written = new String(json.bytes, 0, json.at, UTF_8);
    for (String choice : node.choices()) {
      if (DocumentCast.sameValue(written, choice)) {
        return true;
      }
    }
    why = DocumentCast.notAmong(written, node);
    return false;
  }

  private boolean fail(int from, int to) {
    why = DocumentCast.notA(Shown.value(arena, from, to - from), node);
    return false;
  }
}
