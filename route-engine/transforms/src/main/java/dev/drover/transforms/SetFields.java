package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Access;
import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives fields a value: a constant, the value of another field or of metadata, the split. A field
 * that is there keeps its place, a new one comes last.
 */
record SetFields(Map<String, Content> fields) implements Transform {

  private static final String SPLIT = "${split}";
  private static final String FIELD = "${field:";
  private static final String METADATA = "${metadata:";
  private static final Pattern ENVIRONMENT = Pattern.compile("\\$\\{env:([^}]+)}");

  /** What a field gets. */
  private sealed interface Content {}

  /**
   * The same for all rows.
   *
   * @param cell of a type that is not sliced
   * @param text of a type that is
   */
  private record Constant(Type type, long cell, @Nullable String text, boolean isNull)
      implements Content {}

  /** Text in which the split is put in. */
  private record WithSplit(String text) implements Content {}

  private record OfField(FieldPath path, boolean metadata) implements Content {}

  /**
   * @param given the values by name
   */
  static SetFields of(Map<?, ?> given, Access access) {
    if (given.isEmpty()) {
      throw new DroverException(
          new Problem(
              ErrorCode.MISSING_OPTION,
              "",
              "set names no field",
              "write {\"set\": {\"source\": \"import\"}}"));
    }
    Map<String, Content> fields = new LinkedHashMap<>();
    given.forEach((name, value) -> fields.put(String.valueOf(name), content(name, value, access)));
    return new SetFields(fields);
  }

  private static Content content(@Nullable Object name, @Nullable Object value, Access access) {
    return switch (value) {
      case null -> new Constant(Type.JSON, 0, null, true);
      case Boolean bool -> new Constant(Type.BOOL, bool ? 1 : 0, null, false);
      case Integer number -> new Constant(Type.INT64, number, null, false);
      case Long number -> new Constant(Type.INT64, number, null, false);
      case BigDecimal number when isLong(number) ->
          new Constant(Type.INT64, number.longValueExact(), null, false);
      case Number number -> new Constant(Type.DECIMAL, 0, number.toString(), false);
      case String text -> text(String.valueOf(name), text, access);
      default -> new Constant(Type.JSON, 0, JsonTree.write(value), false);
    };
  }

  private static boolean isLong(BigDecimal number) {
    return number.scale() == 0 && number.precision() <= 18;
  }

  private static Content text(String name, String given, Access access) {
    if (given.startsWith(FIELD) && given.endsWith("}")) {
      String path = given.substring(FIELD.length(), given.length() - 1);
      return new OfField(FieldPath.parse(path), false);
    }
    if (given.startsWith(METADATA) && given.endsWith("}")) {
      String field = given.substring(METADATA.length(), given.length() - 1);
      return new OfField(FieldPath.ofField(field), true);
    }
    String rest = ENVIRONMENT.matcher(given).replaceAll("").replace(SPLIT, "");
    if (rest.contains("${")) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/" + name,
              "'%s' holds a placeholder that is not known".formatted(Shown.cut(given)),
              "there are ${split} and ${env:NAME}, and alone ${field:PATH} and ${metadata:NAME}"));
    }
    String text;
    try {
      text =
          ENVIRONMENT
              .matcher(given)
              .replaceAll(found -> Matcher.quoteReplacement(access.environment(found.group(1))));
    } catch (DroverException e) {
      throw new DroverException(e.problem().under("/" + name));
    }
    // What a variable holds is text, whatever it looks like.
    return given.contains(SPLIT) ? new WithSplit(text) : new Constant(Type.STRING, 0, text, false);
  }

  @Override
  public Step step(Schema in) {
    List<Field> out = new ArrayList<>(in.fields());
    List<@Nullable Content> contents = new ArrayList<>();
    List<FieldPath.@Nullable Place> places = new ArrayList<>();
    for (int i = 0; i < in.size(); i++) {
      contents.add(null);
      places.add(null);
    }
    fields.forEach(
        (name, content) -> {
          FieldPath.Place place = content instanceof OfField of ? place(of, in) : null;
          Field field = new Field(name, type(content, place, in));
          int known = in.indexOf(name);
          if (known >= 0) {
            out.set(known, field);
            contents.set(known, content);
            places.set(known, place);
          } else {
            out.add(field);
            contents.add(content);
            places.add(place);
          }
        });
    return new Setting(in, new Schema(out, in.open()), contents, places);
  }

  private static FieldPath.@Nullable Place place(OfField of, Schema in) {
    if (of.metadata()) {
      int field = in.indexOf(of.path().field());
      return field >= 0 && in.fields().get(field).role() == Field.Role.METADATA
          ? new FieldPath.Place(field, List.of())
          : null;
    }
    return of.path().in(in);
  }

  private static Type type(Content content, FieldPath.@Nullable Place place, Schema in) {
    return switch (content) {
      case Constant constant -> constant.type();
      case WithSplit split -> Type.STRING;
      case OfField field ->
          place != null && place.inside().isEmpty()
              ? in.fields().get(place.field()).type()
              : Type.JSON;
    };
  }

  private static final class Setting implements Step {
    private final Schema out;
    private final List<@Nullable Content> contents;
    private final List<FieldPath.@Nullable Place> places;
    private final int inWidth;
    private final Cells cells;

    Setting(
        Schema in,
        Schema out,
        List<@Nullable Content> contents,
        List<FieldPath.@Nullable Place> places) {
      this.inWidth = in.size();
      this.out = out;
      this.contents = contents;
      this.places = places;
      this.cells = new Cells(out.size());
    }

    @Override
    public Batch apply(Batch in, Rows rows) {
      cells.widened(in, inWidth);
      for (int field = 0; field < contents.size(); field++) {
        switch (contents.get(field)) {
          case Constant constant -> fill(constant, field, in.rows(), rows);
          case WithSplit split -> {
            String text = split.text().replace(SPLIT, rows.split());
            fill(new Constant(Type.STRING, 0, text, false), field, in.rows(), rows);
          }
          case OfField ignored -> copy(in, field);
          case null -> {}
        }
      }
      return cells.batch(out, in.rows(), rows.arena());
    }

    private void fill(Constant constant, int field, int count, Rows rows) {
      String text = constant.text();
      long cell = text == null ? constant.cell() : Values.append(rows, text.getBytes(UTF_8));
      byte mark = constant.isNull() ? Batch.NULL : Batch.VALUE;
      boolean marks = cells.isMarked() || constant.isNull();
      for (int row = 0, o = field; row < count; row++, o += out.size()) {
        cells.cells[o] = cell;
        if (marks) {
          cells.mark(o, mark);
        }
      }
    }

    private void copy(Batch in, int field) {
      FieldPath.Place place = places.get(field);
      long[] source = in.cells();
      byte[] marks = in.marks();
      for (int row = 0, o = field; row < in.rows(); row++, o += out.size()) {
        int i = place == null ? 0 : row * inWidth + place.field();
        byte mark = place == null ? Batch.ABSENT : marks == null ? Batch.VALUE : marks[i];
        if (mark == Batch.VALUE && place != null) {
          long found = source[i];
          if (!place.inside().isEmpty()) {
            found =
                Documents.find(in.arena(), Operands.scanner(in.arena()), source[i], place.inside());
          }
          if (found == Documents.NOTHING && !place.inside().isEmpty()) {
            mark = Batch.ABSENT;
          } else {
            cells.cells[o] = found;
            boolean isNull = !place.inside().isEmpty() && in.arena()[Batch.offset(found)] == 'n';
            mark = isNull ? Batch.NULL : Batch.VALUE;
          }
        }
        if (mark != Batch.VALUE || cells.isMarked()) {
          cells.mark(o, mark);
        }
      }
    }
  }
}
