package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Nearest;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes CSV: the columns are those of the first rows, or of the header that is there. */
final class CsvFormat implements RowFormat {

  private static final int SHOWN = 10;

  private final CsvStyle style;
  private final boolean header;
  private final boolean byName;
  private final Buffers buffers;
  private @Nullable List<String> columns;

  CsvFormat(CsvStyle style, boolean header, boolean byName, Buffers buffers) {
    this.style = style;
    this.header = header;
    this.byName = byName;
    this.buffers = buffers;
  }

  @Override
  public byte[] head(Schema first) {
    columns = names(first);
    return head();
  }

  @Override
  public byte[] head() {
    List<String> names = columns;
    if (!header || names == null) {
      return new byte[0];
    }
    JsonOutput out = new JsonOutput(Buffers.heap(), 0);
    for (int i = 0; i < names.size(); i++) {
      byte[] name = names.get(i).getBytes(UTF_8);
      if (i > 0) {
        out.put((char) style.delimiter());
      }
      byte[] padded = Arrays.copyOf(name, name.length + Batch.PADDING);
      new CsvField(style).write(out, padded, 0, name.length);
    }
    out.put(style.lineEnd());
    return Arrays.copyOf(out.bytes, out.at);
  }

  private static List<String> names(Schema schema) {
    return schema.fields().stream()
        .filter(field -> field.role() != Field.Role.METADATA)
        .map(Field::name)
        .toList();
  }

  @Override
  public void goOn(byte[] start) {
    if (!header) {
      return;
    }
    if (start.length == 0) {
      return;
    }
    List<String> names = new ArrayList<>();
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    boolean quoted = false;
    int i = start.length >= 3 && start[0] == (byte) 0xef && start[1] == (byte) 0xbb ? 3 : 0;
    for (; i < start.length; i++) {
      byte b = start[i];
      if (b == '"') {
        // A doubled quote closes and opens again, and stands for itself.
        if (!quoted && i > 0 && start[i - 1] == '"' && name.size() > 0) {
          name.write('"');
        }
        quoted = !quoted;
      } else if (!quoted && b == style.delimiter()) {
        names.add(name.toString(UTF_8));
        name.reset();
      } else if (!quoted && (b == '\n' || b == '\r')) {
        break;
      } else {
        name.write(b);
      }
    }
    if (i == HEAD_BYTES) {
      throw new DroverException(
          ErrorCode.LIMIT_EXCEEDED,
          "the header of the file is longer than %,d bytes".formatted(HEAD_BYTES));
    }
    names.add(name.toString(UTF_8));
    columns = names;
  }

  @Override
  public Encoder encoder(Schema schema) {
    List<String> known = columns;
    if (known == null) {
      known = names(schema);
      columns = known;
    }
    int[] fields = new int[known.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = schema.indexOf(known.get(i));
    }
    if (!byName) {
      for (String name : names(schema)) {
        if (!known.contains(name)) {
          throw newColumn(name, known);
        }
      }
    }
    Type[] types = schema.fields().stream().map(Field::type).toArray(Type[]::new);
    return new CsvWriter(schema, fields, types, style, buffers);
  }

  private static DroverException newColumn(String name, List<String> known) {
    String nearest = Nearest.match(name, known);
    String shown = String.join(", ", known.subList(0, Math.min(SHOWN, known.size())));
    return new DroverException(
        new Problem(
            ErrorCode.UNKNOWN_FIELD,
            "",
            "the rows have a column '%s', which the header lacks; it has %s%s"
                .formatted(
                    name,
                    shown,
                    known.size() > SHOWN ? ", … (%d in all)".formatted(known.size()) : ""),
            nearest == null
                ? "set on_mismatch to by_name to write only the header's columns, or select them"
                : "is it '%s'? Rename it with select, or set on_mismatch to by_name"
                    .formatted(nearest)));
  }
}
