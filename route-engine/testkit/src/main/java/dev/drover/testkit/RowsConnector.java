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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A source of given rows, and of failures: {@code {"rows": {"rows": …, "fields": […]}}}. Rows are
 * lists of texts, null for null. It can end, fail in reading, refuse a row or go on for ever. It
 * can deal the rows out to several splits; of those that are assigned it reads a chunk in turn.
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
      @Option(value = "What comes after them", defaultValue = "end") Then then,
      @Option(value = "How many splits have an equal part each", defaultValue = "1", min = 1)
          int splits) {

    List<?> rowsOf(int split) {
      List<?> all = (List<?>) rows;
      int from = (int) ((long) all.size() * split / splits);
      int to = (int) ((long) all.size() * (split + 1) / splits);
      return all.subList(from, to);
    }

    /** Only the last split has an end that is worth telling. */
    Then thenOf(int split) {
      return split == splits - 1 ? then : Then.END;
    }
  }

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
    private final Config config;
    private final List<Split> splits = new ArrayList<>();

    RowsSource(Config config) {
      this.config = config;
      for (int i = 0; i < config.splits(); i++) {
        splits.add(new Split(config.splits() == 1 ? "rows" : "rows " + i));
      }
    }

    @Override
    public Traits traits() {
      return new Traits(config.then() != Then.WAIT, true, false);
    }

    @Override
    public List<Split> splits() {
      return List.copyOf(splits);
    }

    @Override
    public String description() {
      return "rows";
    }

    @Override
    public Reader reader(ReaderScope scope) {
      return new RowsReader(config, splits, scope);
    }

    @Override
    public Offset offset(String text) {
      return new RowOffset(Integer.parseInt(text));
    }
  }

  /** What a reader has read of a split. */
  private static final class Part {
    private final Split split;
    private final List<?> rows;
    private final Then then;
    private int place;

    Part(Split split, List<?> rows, Then then, int place) {
      this.split = split;
      this.rows = rows;
      this.then = then;
      this.place = place;
    }
  }

  private static final class RowsReader implements Reader {
    private final Config config;
    private final List<Split> splits;
    private final ReaderScope scope;
    private final Deque<Part> parts = new ArrayDeque<>();

    RowsReader(Config config, List<Split> splits, ReaderScope scope) {
      this.config = config;
      this.splits = splits;
      this.scope = scope;
    }

    @Override
    public void assign(Split split, @Nullable Offset from) {
      int index = splits.indexOf(split);
      int place = from == null ? 0 : ((RowOffset) from).rows();
      parts.addLast(new Part(split, config.rowsOf(index), config.thenOf(index), place));
    }

    @Override
    public @Nullable Chunk read(Duration wait) {
      Part part = parts.pollFirst();
      if (part == null) {
        return null;
      }
      int count = Math.min(scope.maxBatchRows(), part.rows.size() - part.place);
      if (count > 0) {
        part.place += count;
        parts.addLast(part);
        return chunk(part, part.rows.subList(part.place - count, part.place), Then.END);
      }
      switch (part.then) {
        case END -> scope.finished(part.split);
        case WAIT -> {
          parts.addLast(part);
          LockSupport.parkNanos(Math.min(wait.toNanos(), 1_000_000));
        }
        case FAIL_READING ->
            throw new DroverException(ErrorCode.IO_ERROR, "the rows cannot be read further");
        case FAIL_DECODING, REJECT -> {
          if (part.place == part.rows.size()) {
            part.place++;
            scope.finished(part.split);
            return chunk(part, List.of(), part.then);
          }
          scope.finished(part.split);
        }
      }
      return null;
    }

    private Chunk chunk(Part part, List<?> rows, Then then) {
      return new RowsChunk(part.split, config.fields(), rows, part.place, then, scope.buffers());
    }

    @Override
    public void close() {
      parts.clear();
    }
  }

  private static final class RowsChunk implements Chunk {
    private final Split split;
    private final List<String> fields;
    private final List<?> rows;
    private final int end;
    private final Then then;
    private final Buffers buffers;
    private byte @Nullable [] arena;
    private long @Nullable [] cells;

    RowsChunk(Split split, List<String> fields, List<?> rows, int end, Then then, Buffers buffers) {
      this.split = split;
      this.fields = fields;
      this.rows = rows;
      this.end = end;
      this.then = then;
      this.buffers = buffers;
    }

    @Override
    public Split split() {
      return split;
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
