package dev.drover.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Capability;
import dev.drover.spi.Chunk;
import dev.drover.spi.Connector;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Offset;
import dev.drover.spi.Option;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import dev.drover.spi.Traits;
import dev.drover.spi.Type;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A source of given rows, and of failures: {@code {"rows": {"rows": …, "fields": […]}}}. Rows are
 * lists of texts, null for null. It can end, fail in reading, refuse a row or go on for ever.
 */
public final class RowsConnector implements Connector {

  /** What happens after the rows. */
  public enum Then {
    END,
    FAIL_READING,
    FAIL_DECODING,
    REJECT,
    WAIT
  }

  /**
   * @param rows a {@code List<List<String>>}
   */
  record Config(
      @Option("The rows") Object rows,
      @Option("Names of the fields, all text") List<String> fields,
      @Option(value = "What comes after them", defaultValue = "end") Then then) {}

  @Override
  public String name() {
    return "rows";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.RESUME);
  }

  @Override
  public @Nullable SourceType<?> source() {
    return new SourceType<>(Config.class, (config, access) -> new RowsSource(config));
  }

  private record RowOffset(int rows) implements Offset {
    @Override
    public String text() {
      return Integer.toString(rows);
    }

    @Override
    public int compareTo(Offset other) {
      return Integer.compare(rows, ((RowOffset) other).rows);
    }
  }

  private static final class RowsSource implements Source {
    private static final Split SPLIT = new Split("rows");
    private final Config config;

    RowsSource(Config config) {
      this.config = config;
    }

    @Override
    public Traits traits() {
      return new Traits(config.then() != Then.WAIT, true, false);
    }

    @Override
    public List<Split> splits() {
      return List.of(SPLIT);
    }

    @Override
    public String description() {
      return "rows";
    }

    @Override
    public Reader reader(ReaderScope scope) {
      return new RowsReader(config, scope);
    }

    @Override
    public Offset offset(String text) {
      return new RowOffset(Integer.parseInt(text));
    }
  }

  private static final class RowsReader implements Reader {
    private final Config config;
    private final ReaderScope scope;
    private final List<?> rows;
    private int place;
    private boolean done;

    RowsReader(Config config, ReaderScope scope) {
      this.config = config;
      this.scope = scope;
      this.rows = (List<?>) config.rows();
    }

    @Override
    public void assign(Split split, @Nullable Offset from) {
      place = from == null ? 0 : ((RowOffset) from).rows();
    }

    @Override
    public @Nullable Chunk read(Duration wait) {
      int count = Math.min(scope.maxBatchRows(), rows.size() - place);
      if (count > 0) {
        place += count;
        return new RowsChunk(
            config.fields(), rows.subList(place - count, place), place, Then.END, scope.buffers());
      }
      switch (config.then()) {
        case END -> finish();
        case WAIT -> LockSupport.parkNanos(Math.min(wait.toNanos(), 1_000_000));
        case FAIL_READING ->
            throw new DroverException(ErrorCode.IO_ERROR, "the rows cannot be read further");
        case FAIL_DECODING, REJECT -> {
          if (!done) {
            finish();
            return new RowsChunk(
                config.fields(), List.of(), place + 1, config.then(), scope.buffers());
          }
        }
      }
      return null;
    }

    private void finish() {
      if (!done) {
        done = true;
        scope.finished(RowsSource.SPLIT);
      }
    }

    @Override
    public void close() {
      done = true;
    }
  }

  private static final class RowsChunk implements Chunk {
    private final List<String> fields;
    private final List<?> rows;
    private final int end;
    private final Then then;
    private final Buffers buffers;
    private byte @Nullable [] arena;
    private long @Nullable [] cells;

    RowsChunk(List<String> fields, List<?> rows, int end, Then then, Buffers buffers) {
      this.fields = fields;
      this.rows = rows;
      this.end = end;
      this.then = then;
      this.buffers = buffers;
    }

    @Override
    public Split split() {
      return RowsSource.SPLIT;
    }

    @Override
    public Offset end() {
      return new RowOffset(end);
    }

    @Override
    public int bytes() {
      return rows.toString().length();
    }

    @Override
    public void decode(Decoded out) {
      if (then == Then.FAIL_DECODING) {
        throw new DroverException(ErrorCode.INVALID_ENCODING, "the rows cannot be decoded further");
      } else if (then == Then.REJECT) {
        out.reject(
            new RejectedRow(ErrorCode.RAGGED_ROW, 1, 1, 0, "a row that nobody wants")
                .withRow("unwanted".getBytes(UTF_8), 0, 8));
        return;
      }
      out.batch(batch());
      out.advanced(rows.size(), rows.size());
    }

    private Batch batch() {
      Schema schema =
          new Schema(fields.stream().map(name -> new Field(name, Type.STRING)).toList());
      int size = fields.size();
      byte[][] texts = new byte[rows.size() * size][];
      byte[] marks = new byte[texts.length];
      int length = 0;
      for (int i = 0; i < texts.length; i++) {
        Object text = ((List<?>) rows.get(i / size)).get(i % size);
        marks[i] = text == null ? Batch.NULL : Batch.VALUE;
        texts[i] = text == null ? new byte[0] : text.toString().getBytes(UTF_8);
        length += texts[i].length;
      }
      byte[] taken = buffers.bytes(length + Batch.PADDING);
      long[] slices = buffers.longs(texts.length);
      int place = 0;
      for (int i = 0; i < texts.length; i++) {
        System.arraycopy(texts[i], 0, taken, place, texts[i].length);
        slices[i] = Batch.slice(place, texts[i].length);
        place += texts[i].length;
      }
      arena = taken;
      cells = slices;
      return new Batch(schema, rows.size(), taken, slices, marks);
    }

    @Override
    public void release() {
      if (arena != null && cells != null) {
        buffers.give(arena);
        buffers.give(cells);
      }
    }
  }
}
