package dev.drover.transforms;

import dev.drover.formats.JsonScanner;
import dev.drover.formats.JsonShapes;
import dev.drover.spi.Batch;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import dev.drover.transforms.DocumentCast.CastOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the values of each field, and the types that follow. A text field is an integer,
 * a number, a boolean, a date, a date-time or JSON only if each of its values is, written in the
 * one way that loses nothing: no plus, no leading zero, {@code true} and {@code false} in small
 * letters, an offset of UTC. Blanks are nulls. Any thread.
 */
public final class Profile {

  // What all values of a field may be.
  private static final int INTEGER = 1;
  private static final int NUMBER = 1 << 1;
  private static final int BOOLEAN = 1 << 2;
  private static final int DATE = 1 << 3;
  private static final int ZONED = 1 << 4;
  private static final int LOCAL = 1 << 5;
  private static final int DOCUMENT = 1 << 6;
  private static final int TEXT = 1 << 7;
  private static final int ANYTHING = (1 << 8) - 1;

  /** In JSON, what is in quotes is never a number, and the other way round. */
  private static final int IN_QUOTES = TEXT | DATE | ZONED | LOCAL;

  /** A field: what its values may all be, and what was seen. */
  private static final class Column {
    Type type;
    int may = ANYTHING;
    long values;
    boolean nulls;

    Column(Type type) {
      this.type = type;
    }
  }

  private final Map<String, Column> columns = new LinkedHashMap<>();
  private long rows;

  /** Those that nobody uses at the moment; what they have learnt of documents they keep. */
  private final Queue<Look> looks = new ConcurrentLinkedQueue<>();

  /** Takes the rows into account; they are not kept. */
  public void add(Batch batch) {
    Schema schema = batch.schema();
    int width = schema.size();
    int[] may = new int[width];
    synchronized (this) {
      for (int f = 0; f < width; f++) {
        Column known = columns.get(schema.fields().get(f).name());
        may[f] = known == null ? ANYTHING : known.may;
      }
    }
    long[] values = new long[width];
    boolean[] nulls = new boolean[width];
    Look free = looks.poll();
    Look look = free == null ? new Look() : free;
    look.at(batch);
    for (int f = 0; f < width; f++) {
      look.column(f, may, values, nulls);
    }
    looks.add(look);
    synchronized (this) {
      boolean first = rows == 0;
      rows += batch.rows();
      for (int f = 0; f < width; f++) {
        Field field = schema.fields().get(f);
        if (field.role() == Field.Role.METADATA) {
          continue;
        }
        Column column = columns.get(field.name());
        if (column == null) {
          column = new Column(field.type());
          column.nulls = !first;
          columns.put(field.name(), column);
        }
        column.type = column.type == field.type() ? field.type() : Type.JSON;
        column.may &= may[f];
        column.values += values[f];
        column.nulls |= nulls[f];
      }
      if (width < columns.size()) {
        columns.forEach((name, column) -> column.nulls |= schema.indexOf(name) < 0);
      }
    }
  }

  /** How many rows were taken into account. */
  public synchronized long rows() {
    return rows;
  }

  /** What was found, as the JSON Schema that {@code cast} takes, on several lines. */
  public synchronized String schema() {
    StringBuilder text = new StringBuilder("{\n  \"type\": \"object\",\n  \"properties\": {");
    String before = "\n";
    for (Map.Entry<String, Column> column : columns.entrySet()) {
      text.append(before)
          .append("    ")
          .append(JsonTree.write(column.getKey()))
          .append(": ")
          .append(
              JsonTree.write(property(column.getValue())).replace(",", ", ").replace(":", ": "));
      before = ",\n";
    }
    return text.append(columns.isEmpty() ? "}\n}\n" : "\n  }\n}\n").toString();
  }

  /** The cast to the types that were found. A value that does not fit is a refused row. */
  public synchronized Transform cast() {
    Map<String, Object> properties = new LinkedHashMap<>();
    columns.forEach(
        (name, column) -> {
          if (isCast(column)) {
            properties.put(name, property(column));
          }
        });
    return new Cast(
        SchemaNode.read(Map.of("properties", properties), ""),
        new CastOptions(true, false, false, true));
  }

  private static boolean isCast(Column column) {
    boolean ofText = column.type == Type.STRING || column.type == Type.JSON;
    return ofText && !property(column).isEmpty();
  }

  private static Map<String, Object> property(Column column) {
    Map<String, Object> property = new LinkedHashMap<>();
    boolean plain = column.type == Type.STRING || column.type == Type.JSON;
    String type = plain ? found(column, property) : declared(column.type, property);
    if (type != null) {
      property.put("type", column.nulls ? List.of(type, "null") : type);
    }
    Map<String, Object> ordered = new LinkedHashMap<>();
    if (property.containsKey("type")) {
      ordered.put("type", property.get("type"));
    }
    property.forEach(ordered::putIfAbsent);
    return ordered;
  }

  private static @Nullable String found(Column column, Map<String, Object> property) {
    boolean json = column.type == Type.JSON;
    int may = column.values == 0 ? (json ? 0 : TEXT) : column.may;
    if ((may & INTEGER) != 0) {
      return "integer";
    } else if ((may & NUMBER) != 0) {
      return "number";
    } else if ((may & BOOLEAN) != 0) {
      return "boolean";
    } else if ((may & (DATE | ZONED | LOCAL)) != 0) {
      property.put(
          "format",
          (may & DATE) != 0 ? "date" : (may & ZONED) != 0 ? "date-time" : "local-date-time");
      return "string";
    } else if ((may & DOCUMENT) != 0 && !json) {
      property.put("contentMediaType", "application/json");
      return null;
    }
    return (may & TEXT) != 0 ? "string" : null;
  }

  private static @Nullable String declared(Type type, Map<String, Object> property) {
    return switch (type) {
      case BOOL -> "boolean";
      case INT64 -> "integer";
      case FLOAT32, FLOAT64, DECIMAL -> "number";
      case DATE -> formatted("date", property);
      case TIME -> formatted("time", property);
      case TIMESTAMP -> formatted("local-date-time", property);
      case TIMESTAMPTZ -> formatted("date-time", property);
      case UUID -> formatted("uuid", property);
      case STRING, BYTES -> "string";
      case JSON -> null;
    };
  }

  private static String formatted(String format, Map<String, Object> property) {
    property.put("format", format);
    return "string";
  }

  /** Names of the fields, in the order in which they came. */
  public synchronized List<String> names() {
    return new ArrayList<>(columns.keySet());
  }

  /** Looks at the columns of one batch after the other. */
  private static final class Look {
    private final Scalars scalars = new Scalars();
    private final Map<Integer, JsonShapes> shapes = new HashMap<>();

    // Of the batch.
    private Schema schema = new Schema(List.of());
    private int rows;
    private byte[] arena = {};
    private long[] cells = {};
    private byte @Nullable [] marks;

    void at(Batch batch) {
      schema = batch.schema();
      rows = batch.rows();
      arena = batch.arena();
      cells = batch.cells();
      marks = batch.marks();
    }

    void column(int f, int[] may, long[] values, boolean[] nulls) {
      Type type = schema.fields().get(f).type();
      JsonShapes known = shapes.computeIfAbsent(f, field -> new JsonShapes());
      int width = schema.size();
      int fits = may[f];
      int missing = 0;
      for (int row = 0, i = f; row < rows; row++, i += width) {
        long cell = cells[i];
        boolean blank = type == Type.STRING && cell == 0;
        if (blank || (marks != null && marks[i] != Batch.VALUE)) {
          missing++;
          continue;
        }
        int from = Batch.offset(cell);
        int to = from + Batch.length(cell);
        if (type == Type.STRING && fits != TEXT) {
          fits = text(from, to, fits, known);
        } else if (type == Type.JSON && fits != 0) {
          fits = json(from, to, fits);
        }
      }
      may[f] = fits;
      values[f] = (long) rows - missing;
      nulls[f] = missing > 0;
    }

    /** Which of the types fit this value too. */
    private int text(int from, int to, int may, JsonShapes known) {
      if (from == to) {
        return TEXT;
      }
      int fits = TEXT;
      if ((may & INTEGER) != 0 && Scalars.isPlainInteger(arena, from, to)) {
        fits |= INTEGER | NUMBER;
      } else if ((may & (INTEGER | NUMBER)) != 0 && Scalars.isNumber(arena, from, to)) {
        fits |= NUMBER;
        if (Scalars.isCanonicalInteger(arena, from, to) && scalars.integer(arena, from, to)) {
          fits |= INTEGER;
        }
      }
      if ((may & BOOLEAN) != 0
          && to - from > 1
          && arena[from] >= 'a'
          && scalars.bool(arena, from, to)) {
        fits |= BOOLEAN;
      }
      fits |= moment(from, to, may);
      if ((may & DOCUMENT) != 0 && isDocument(from, to, known)) {
        fits |= DOCUMENT;
      }
      return may & fits;
    }

    private int moment(int from, int to, int may) {
      if ((may & DATE) != 0 && scalars.date(arena, from, to)) {
        return DATE;
      }
      if ((may & (ZONED | LOCAL)) != 0 && scalars.timestamp(arena, from, to)) {
        return scalars.zoned ? (scalars.utc ? ZONED : 0) : LOCAL;
      }
      return 0;
    }

    private boolean isDocument(int from, int to, JsonShapes shapes) {
      if (arena[from] != '{' && arena[from] != '[') {
        return false;
      }
      if (shapes.matches(arena, from, to)) {
        return true;
      }
      JsonScanner scanner = new JsonScanner(arena, ColumnCast.MAX_DEPTH);
      int end = scanner.value(from, to);
      boolean fits = end != JsonScanner.FAILED && scanner.space(end, to) == to;
      if (fits) {
        shapes.learn(arena, from, end);
      }
      return fits;
    }

    private int json(int from, int to, int may) {
      return switch (arena[from]) {
        case '"' -> may & (TEXT | (moment(from + 1, to - 1, may) & IN_QUOTES));
        case 't', 'f' -> may & BOOLEAN;
        case '{', '[' -> may & DOCUMENT;
        default ->
            may
                & (NUMBER
                    | (Scalars.isCanonicalInteger(arena, from, to)
                            && scalars.integer(arena, from, to)
                        ? INTEGER
                        : 0));
      };
    }
  }
}
