package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonScanner;
import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps, drops, renames and reorders fields, and takes values out of documents.
 *
 * @param items what to keep, in order
 * @param others where all other fields go, an index of {@code items}; -1: they are left out
 * @param drop names of fields that are left out of the others
 * @param rename new names of the others
 */
record Select(List<Item> items, int others, List<String> drop, Map<String, String> rename)
    implements Transform {

  private static final String ALL = "*";

  /**
   * A field of the result.
   *
   * @param standard the value where the path leads nowhere, as JSON; null: the field is absent
   * @param required whether a row without it is refused
   */
  record Item(String name, FieldPath path, @Nullable String standard, boolean required) {
    FieldPath.@Nullable Place in(Schema schema) {
      return path.in(schema, schema.open() || standard != null);
    }
  }

  static Select of(SelectConfig config) {
    Map<String, String> rename = renames(config.rename());
    List<String> drop = names(config.drop());
    List<Item> items = new ArrayList<>();
    int others = config.keep() == null ? 0 : -1;
    for (String name : names(config.keep())) {
      if (name.equals(ALL)) {
        others = items.size();
        continue;
      }
      FieldPath path = at("/keep", name);
      items.add(new Item(rename.getOrDefault(name, plainName(path)), path, null, false));
    }
    if (config.keep() == null && drop.isEmpty() && rename.isEmpty()) {
      throw new DroverException(
          new Problem(
              ErrorCode.MISSING_OPTION,
              "",
              "select needs one of keep, drop and rename",
              "write {\"select\": {\"keep\": [\"id\", \"name\"]}}"));
    }
    if (config.keep() != null && others < 0 && !drop.isEmpty()) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/drop",
              "keep lists all fields there will be, so there is nothing to drop",
              "leave out one of keep and drop, or put \"*\" into keep"));
    }
    return new Select(List.copyOf(items), others, drop, rename);
  }

  private static FieldPath at(String option, String text) {
    try {
      return FieldPath.parse(text);
    } catch (DroverException e) {
      throw new DroverException(e.problem().under(option));
    }
  }

  /** A name in brackets and quotes is shown without them. */
  private static String plainName(FieldPath path) {
    return path.isNested() ? path.text() : path.field();
  }

  /** One text may list several, with commas: that is how a URI has it. */
  static List<String> names(@Nullable List<String> given) {
    if (given == null) {
      return List.of();
    }
    if (given.size() == 1 && given.getFirst().indexOf(',') >= 0) {
      List<String> names = new ArrayList<>();
      for (String name : given.getFirst().split(",", -1)) {
        names.add(name.strip());
      }
      return names;
    }
    return given;
  }

  private static Map<String, String> renames(@Nullable Object given) {
    if (given == null) {
      return Map.of();
    }
    Map<String, String> renames = new LinkedHashMap<>();
    if (given instanceof Map<?, ?> map) {
      map.forEach((from, to) -> renames.put(String.valueOf(from), String.valueOf(to)));
    } else {
      // In a URI: old:new,other:newer
      for (String pair : names(List.of(given.toString()))) {
        int colon = pair.indexOf(':');
        if (colon <= 0 || colon == pair.length() - 1) {
          throw new DroverException(
              new Problem(
                  ErrorCode.INVALID_ARGUMENT,
                  "/rename",
                  "'%s' is no new name".formatted(Shown.cut(pair)),
                  "write {\"old\": \"new\"}; in a URI rename=old:new"));
        }
        renames.put(pair.substring(0, colon).strip(), pair.substring(colon + 1).strip());
      }
    }
    return renames;
  }

  @Override
  public Step step(Schema in) {
    List<Field> fields = new ArrayList<>();
    List<FieldPath.@Nullable Place> places = new ArrayList<>();
    List<@Nullable Item> sources = new ArrayList<>();
    boolean[] taken = new boolean[in.size()];
    for (Item item : items) {
      FieldPath.Place place = item.in(in);
      if (place != null && place.inside().isEmpty()) {
        taken[place.field()] = true;
      }
    }
    checkNames(in);
    for (int i = 0; i <= items.size(); i++) {
      if (i == others) {
        for (int field = 0; field < in.size(); field++) {
          Field old = in.fields().get(field);
          if (!taken[field] && !drop.contains(old.name())) {
            String name = rename.getOrDefault(old.name(), old.name());
            fields.add(new Field(name, old.type(), old.role()));
            places.add(new FieldPath.Place(field, List.of()));
            sources.add(null);
          }
        }
      }
      if (i < items.size()) {
        Item item = items.get(i);
        FieldPath.Place place = item.in(in);
        Type type =
            place != null && place.inside().isEmpty()
                ? in.fields().get(place.field()).type()
                : Type.JSON;
        fields.add(new Field(item.name(), item.standard() == null ? type : Type.JSON));
        places.add(place);
        sources.add(item);
      }
    }
    return new Selecting(schema(fields, in.open() && others >= 0), places, sources, in);
  }

  private void checkNames(Schema in) {
    for (String name : drop) {
      FieldPath.ofField(name).in(in);
    }
    if (others >= 0) {
      for (String name : rename.keySet()) {
        boolean ofItem = items.stream().anyMatch(item -> item.path().text().equals(name));
        if (!ofItem) {
          FieldPath.ofField(name).in(in);
        }
      }
    }
  }

  static Schema schema(List<Field> fields, boolean open) {
    try {
      return new Schema(fields, open);
    } catch (IllegalArgumentException e) {
      List<String> names = new ArrayList<>();
      String twice = "";
      for (Field field : fields) {
        twice = names.contains(field.name()) ? field.name() : twice;
        names.add(field.name());
      }
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "",
              "two fields would have the name '%s'".formatted(Shown.cut(twice)),
              "rename one of them"),
          e);
    }
  }

  private static final class Selecting implements Step {
    private final Schema out;
    private final List<FieldPath.@Nullable Place> places;
    private final List<@Nullable Item> items;
    private final int inWidth;
    private final boolean nested;
    private final Cells cells;
    private final Cells.Bad bad = new Cells.Bad();
    private final Type[] inTypes;

    Selecting(
        Schema out, List<FieldPath.@Nullable Place> places, List<@Nullable Item> items, Schema in) {
      this.out = out;
      this.places = places;
      this.items = items;
      this.inWidth = in.size();
      this.cells = new Cells(out.size());
      this.nested = places.stream().anyMatch(p -> p != null && !p.inside().isEmpty());
      this.inTypes = in.fields().stream().map(Field::type).toArray(Type[]::new);
    }

    @Override
    public Batch apply(Batch in, Rows rows) {
      int count = in.rows();
      cells.begin(count);
      bad.clear();
      JsonScanner scanner = nested ? new JsonScanner(in.arena(), Documents.ANY_DEPTH) : null;
      for (int field = 0; field < out.size(); field++) {
        Item item = items.get(field);
        FieldPath.Place place = places.get(field);
        if (place == null) {
          for (int row = 0, i = field; row < count; row++, i += out.size()) {
            cells.mark(i, Batch.ABSENT);
          }
        } else if (scanner == null || place.inside().isEmpty()) {
          whole(in, place.field(), field, rows, item);
        } else {
          inside(in, scanner, place, field);
        }
        if (item != null && (item.standard() != null || item.required())) {
          complete(item, field, count, rows);
        }
      }
      return cells.batch(out, cells.compact(count, bad, rows), rows.arena());
    }

    private void whole(Batch in, int from, int to, Rows rows, @Nullable Item item) {
      long[] source = in.cells();
      byte[] marks = in.marks();
      int width = out.size();
      int o = to;
      boolean asJson = item != null && item.standard() != null && inTypes[from] != Type.JSON;
      for (int row = 0, i = from; row < in.rows(); row++, i += inWidth, o += width) {
        cells.cells[o] = source[i];
        if (marks != null && marks[i] != Batch.VALUE) {
          cells.mark(o, marks[i]);
        } else if (asJson) {
          cells.cells[o] = Values.asJson(inTypes[from], source[i], rows);
        }
      }
    }

    private void inside(Batch in, JsonScanner scanner, FieldPath.Place place, int to) {
      long[] source = in.cells();
      byte[] marks = in.marks();
      byte[] arena = in.arena();
      int width = out.size();
      for (int row = 0, i = place.field(), o = to;
          row < in.rows();
          row++, i += inWidth, o += width) {
        long found =
            marks != null && marks[i] != Batch.VALUE
                ? Documents.NOTHING
                : Documents.find(arena, scanner, source[i], place.inside());
        if (found == Documents.NOTHING) {
          cells.mark(o, Batch.ABSENT);
        } else if (arena[Batch.offset(found)] == 'n') {
          cells.mark(o, Batch.NULL);
        } else {
          cells.cells[o] = found;
        }
      }
    }

    private void complete(Item item, int field, int count, Rows rows) {
      String standard = item.standard();
      long value = 0;
      boolean isNull = "null".equals(standard);
      for (int row = 0, o = field; row < count; row++, o += out.size()) {
        if (cells.marks[o] != Batch.ABSENT) {
          continue;
        }
        if (standard != null) {
          if (value == 0 && !isNull) {
            value = Values.append(rows, standard.getBytes(UTF_8));
          }
          cells.cells[o] = value;
          cells.mark(o, isNull ? Batch.NULL : Batch.VALUE);
        } else {
          bad.add(
              row,
              ErrorCode.INVALID_VALUE,
              "the row has no '%s', which is required".formatted(Shown.cut(item.path().text())));
        }
      }
    }
  }
}
