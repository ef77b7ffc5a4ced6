package dev.drover.transforms;

import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Nearest;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import dev.drover.transforms.DocumentCast.CastOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives fields the types of a schema. Fields that it does not declare pass, in their place;
 * declared ones that are not there follow behind if they have a default.
 */
record Cast(SchemaNode schema, CastOptions options) implements Transform {

  /** A schema file may have so many bytes. */
  static final int MAX_SCHEMA_BYTES = 1 << 20;

  static Cast of(CastConfig config, Access access) {
    return new Cast(
        SchemaNode.read(tree(config, access), ""),
        new CastOptions(config.coerce(), config.applyDefaults(), config.emptyToNull(), false));
  }

  private static @Nullable Object tree(CastConfig config, Access access) {
    if ((config.schema() == null) == (config.schemaFile() == null)) {
      throw new DroverException(
          new Problem(
              ErrorCode.MISSING_OPTION,
              "",
              config.schema() == null
                  ? "cast needs schema or schema_file"
                  : "cast takes schema or schema_file, not both",
              "write {\"cast\": {\"schema\": {\"properties\": {\"id\": {\"type\": \"integer\"}}}}}"));
    }
    if (config.schema() != null) {
      return config.schema() instanceof String text
          ? JsonTree.read(text, "schema")
          : config.schema();
    }
    try {
      Path path = access.file(config.schemaFile(), FileUse.READ);
      if (!Files.isRegularFile(path) || Files.size(path) > MAX_SCHEMA_BYTES) {
        throw new DroverException(
            new Problem(
                ErrorCode.LIMIT_EXCEEDED,
                "/schema_file",
                "%s is no file of at most %,d bytes (max_schema_bytes)"
                    .formatted(path, MAX_SCHEMA_BYTES),
                "name a file that holds a JSON Schema"));
      }
      return JsonTree.read(Files.readAllBytes(path), path.toString());
    } catch (DroverException e) {
      throw e.problem().path().isEmpty()
          ? new DroverException(e.problem().under("/schema_file"))
          : e;
    } catch (IOException e) {
      throw new DroverException(
          new Problem(
              ErrorCode.IO_ERROR,
              "/schema_file",
              "reading %s failed: %s".formatted(config.schemaFile(), e.getMessage())),
          e);
    }
  }

  @Override
  public Step step(Schema in) {
    DocumentCast documents = new DocumentCast(options, Buffers.heap());
    List<Field> fields = new ArrayList<>(in.fields());
    List<@Nullable ColumnCast> casts = new ArrayList<>();
    List<Integer> undeclared = new ArrayList<>();
    for (int i = 0; i < in.size(); i++) {
      Field field = in.fields().get(i);
      SchemaNode node = schema.properties().get(field.name());
      casts.add(null);
      if (node != null && field.role() != Field.Role.METADATA) {
        ColumnCast cast = column(field.name(), node, field.type(), documents);
        casts.set(i, cast);
        fields.set(i, new Field(field.name(), cast.type(), field.role()));
      } else if (!schema.additional() && field.role() != Field.Role.METADATA) {
        undeclared.add(i);
      }
    }
    if (!undeclared.isEmpty() && !in.open()) {
      throw undeclared(in.fields().get(undeclared.getFirst()).name());
    }
    for (Map.Entry<String, SchemaNode> property : schema.properties().entrySet()) {
      if (in.indexOf(property.getKey()) < 0
          && mustBeAdded(property.getKey(), property.getValue(), in)) {
        ColumnCast cast = column(property.getKey(), property.getValue(), Type.JSON, documents);
        casts.add(cast);
        fields.add(new Field(property.getKey(), cast.type()));
      }
    }
    return new Casting(in, new Schema(fields, in.open()), casts, undeclared);
  }

  private ColumnCast column(String name, SchemaNode node, Type type, DocumentCast documents) {
    return new ColumnCast(name, node, type, schema.required().contains(name), options, documents);
  }

  /** Whether a declared field that these rows lack has something to say. */
  private boolean mustBeAdded(String name, SchemaNode node, Schema in) {
    if (node.standard() != null && options.applyDefaults()) {
      return true;
    }
    boolean required = schema.required().contains(name);
    if (!in.open() && (required || !node.nullable())) {
      List<String> names = in.fields().stream().map(Field::name).toList();
      String nearest = Nearest.match(name, names);
      throw new DroverException(
          new Problem(
              ErrorCode.UNKNOWN_FIELD,
              "",
              "the schema has a field '%s', and the rows do not; they have %s"
                  .formatted(Shown.cut(name), Shown.names(names)),
              nearest == null
                  ? "take it out of the schema, give it a default, or let its type be null too"
                  : "did you mean '%s'?".formatted(Shown.cut(nearest))));
    }
    return required;
  }

  private static DroverException undeclared(String name) {
    return new DroverException(
        new Problem(
            ErrorCode.UNKNOWN_FIELD,
            "",
            "the rows have a field '%s', which the schema does not declare, and additionalProperties is false"
                .formatted(Shown.cut(name)),
            "declare it, or leave it out with select"));
  }

  private static final class Casting implements Step {
    private final int inWidth;
    private final Schema out;
    private final List<@Nullable ColumnCast> casts;
    private final List<Integer> undeclared;
    private final Schema in;
    private final Cells cells;
    private final Cells.Bad bad = new Cells.Bad();

    Casting(Schema in, Schema out, List<@Nullable ColumnCast> casts, List<Integer> undeclared) {
      this.in = in;
      this.inWidth = in.size();
      this.out = out;
      this.casts = casts;
      this.undeclared = undeclared;
      this.cells = new Cells(out.size());
    }

    @Override
    public Batch apply(Batch batch, Rows rows) {
      int count = batch.rows();
      bad.clear();
      cells.widened(batch, inWidth);
      for (int field : undeclared) {
        for (int row = 0; row < count; row++) {
          if (batch.mark(row, field) != Batch.ABSENT) {
            String name = in.fields().get(field).name();
            bad.add(row, ErrorCode.INVALID_VALUE, undeclared(name).problem().message());
          }
        }
      }
      for (int field = 0; field < casts.size(); field++) {
        ColumnCast cast = casts.get(field);
        if (cast != null) {
          cast.apply(field, out.size(), count, cells, bad, rows);
        }
      }
      return cells.batch(out, cells.compact(count, bad, rows), rows.arena());
    }
  }
}
