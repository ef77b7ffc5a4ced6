package dev.drover.connectors.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Schema;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import dev.drover.spi.Traits;
import dev.drover.spi.Type;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One row, repeated. The row stands once in the arena and all cells point to it. */
final class StaticSource implements Source {

  private static final Split SPLIT = new Split("static");

  private final long count;
  private final Schema schema;
  private final byte[] arena;
  private final long[] cells;
  private final byte[] marks;
  private final int rowBytes;

  StaticSource(StaticSourceConfig config) {
    count = config.count();
    Map<?, ?> row = config.body() instanceof Map<?, ?> map ? map : Map.of();
    boolean text = !(config.body() instanceof Map<?, ?>);
    int size = text ? 1 : row.size();
    List<Field> fields = new ArrayList<>(size);
    cells = new long[size];
    marks = new byte[size];
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (text) {
      fields.add(new Field("payload", Type.BYTES));
      cells[0] = append(bytes, config.body().toString());
    }
    for (Map.Entry<?, ?> entry : row.entrySet()) {
      int i = fields.size();
      String name = entry.getKey().toString();
      Object value = entry.getValue();
      switch (value) {
        case null -> marks[i] = Batch.NULL;
        case Boolean bool -> cells[i] = bool ? 1 : 0;
        case Integer number -> cells[i] = number;
        case Long number -> cells[i] = number;
        case String string -> cells[i] = append(bytes, string);
        default -> throw unsupported(name);
      }
      fields.add(new Field(name, type(value)));
    }
    schema = new Schema(fields);
    rowBytes = bytes.size();
    arena = Arrays.copyOf(bytes.toByteArray(), rowBytes + Batch.PADDING);
  }

  private static DroverException unsupported(String field) {
    return new DroverException(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "/body/" + field,
            "a value must be text, a whole number, a boolean or null",
            "write it as text"));
  }

  private static Type type(@Nullable Object value) {
    if (value instanceof Boolean) {
      return Type.BOOL;
    }
    return value instanceof Number ? Type.INT64 : Type.STRING;
  }

  private static long append(ByteArrayOutputStream bytes, String text) {
    byte[] encoded = text.getBytes(UTF_8);
    long slice = Batch.slice(bytes.size(), encoded.length);
    bytes.writeBytes(encoded);
    return slice;
  }

  @Override
  public Traits traits() {
    return new Traits(true, true, false);
  }

  @Override
  public List<Split> splits() {
    return List.of(SPLIT);
  }

  @Override
  public String description() {
    return "static";
  }

  @Override
  public String fingerprint(Split split) {
    CRC32C crc = new CRC32C();
    crc.update(arena, 0, rowBytes);
    return count + "-" + Long.toHexString(crc.getValue());
  }

  @Override
  public Reader reader(ReaderScope scope) {
    return new StaticReader(this, scope);
  }

  @Override
  public Offset offset(String text) {
    return RowOffset.parse(text);
  }

  @Override
  public long sizeBytes() {
    return count * rowBytes;
  }

  long count() {
    return count;
  }

  int rowBytes() {
    return rowBytes;
  }

  /** The row, so many times. */
  Batch repeat(int rows, long[] into) {
    int size = cells.length;
    for (int row = 0; row < rows; row++) {
      System.arraycopy(cells, 0, into, row * size, size);
    }
    boolean anyNull = false;
    for (byte mark : marks) {
      anyNull |= mark != Batch.VALUE;
    }
    if (!anyNull) {
      return new Batch(schema, rows, arena, into, null);
    }
    byte[] allMarks = new byte[rows * size];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(marks, 0, allMarks, row * size, size);
    }
    return new Batch(schema, rows, arena, into, allMarks);
  }

  int cellsPerRow() {
    return cells.length;
  }
}
