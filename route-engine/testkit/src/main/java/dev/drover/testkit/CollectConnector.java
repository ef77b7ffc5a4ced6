package dev.drover.testkit;

import dev.drover.spi.Batch;
import dev.drover.spi.Capability;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Offset;
import dev.drover.spi.Option;
import dev.drover.spi.Progress;
import dev.drover.spi.Schema;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A sink that keeps rows for a test to look at: {@code {"collect": {"into": new Collected()}}}. */
public final class CollectConnector implements Connector {

  /** Rows as texts, null for null or absent, in the order of writing. Thread-safe. */
  public static final class Collected {
    private final List<List<@Nullable String>> rows =
        Collections.synchronizedList(new ArrayList<>());
    private final List<Schema> schemas = Collections.synchronizedList(new ArrayList<>());
    private final List<Map<Split, Offset>> commits =
        Collections.synchronizedList(new ArrayList<>());
    private volatile int failAfterRows = Integer.MAX_VALUE;
    private volatile Executor answering = Runnable::run;
    private volatile @Nullable String end;

    /** Every write after so many rows fails. */
    public Collected failAfterRows(int count) {
      failAfterRows = count;
      return this;
    }

    /** Writes are answered by this executor rather than at once. */
    public Collected answeredBy(Executor executor) {
      answering = executor;
      return this;
    }

    public List<List<@Nullable String>> rows() {
      return List.copyOf(rows);
    }

    /** The schemas in the order in which encoders were asked for. */
    public List<Schema> schemas() {
      return List.copyOf(schemas);
    }

    public List<Map<Split, Offset>> commits() {
      return List.copyOf(commits);
    }

    /** "finish", "abort", or null while the writer is open. */
    public @Nullable String end() {
      return end;
    }
  }

  /**
   * @param into a {@link Collected}
   */
  record Config(@Option("Takes the rows") Object into) {}

  @Override
  public String name() {
    return "collect";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public @Nullable SinkType<?> sink() {
    return new SinkType<>(
        Config.class, (config, access, mode) -> new CollectSink((Collected) config.into()));
  }

  private record Rows(List<List<@Nullable String>> texts) implements Encoded {
    @Override
    public int rows() {
      return texts.size();
    }

    @Override
    public long bytes() {
      return texts.toString().length();
    }

    @Override
    public void release() {
      // Plain objects.
    }
  }

  private record CollectSink(Collected collected) implements Sink {
    @Override
    public CommitMode commitMode() {
      return CommitMode.ROWS;
    }

    @Override
    public SinkWriter writer(WriterScope scope) {
      return new CollectWriter(collected);
    }
  }

  private static final class CollectWriter implements SinkWriter {
    private final Collected collected;

    CollectWriter(Collected collected) {
      this.collected = collected;
    }

    @Override
    public Map<Split, String> restore() {
      return Map.of();
    }

    @Override
    public Encoder encoder(Schema schema) {
      collected.schemas.add(schema);
      return CollectWriter::texts;
    }

    private static Rows texts(Batch batch) {
      List<Field> fields = batch.schema().fields();
      List<List<@Nullable String>> rows = new ArrayList<>();
      for (int row = 0; row < batch.rows(); row++) {
        List<@Nullable String> texts = new ArrayList<>();
        for (int field = 0; field < fields.size(); field++) {
          boolean value = batch.mark(row, field) == Batch.VALUE;
          boolean sliced = fields.get(field).type().isSliced();
          texts.add(
              value && !sliced ? Long.toString(batch.cell(row, field)) : batch.text(row, field));
        }
        rows.add(texts);
      }
      return new Rows(rows);
    }

    @Override
    public CompletionStage<Written> write(Encoded rows) {
      CompletableFuture<Written> answer = new CompletableFuture<>();
      collected.answering.execute(
          () -> {
            if (collected.rows.size() + rows.rows() > collected.failAfterRows) {
              answer.completeExceptionally(
                  new DroverException(ErrorCode.IO_ERROR, "the collection is full"));
            } else {
              collected.rows.addAll(((Rows) rows).texts());
              answer.complete(Written.ALL);
            }
          });
      return answer;
    }

    @Override
    public void commit(Map<Split, Progress> upTo) {
      Map<Split, Offset> offsets = new HashMap<>();
      upTo.forEach((split, progress) -> offsets.put(split, progress.offset()));
      collected.commits.add(offsets);
    }

    @Override
    public @Nullable Destination finish() {
      collected.end = "finish";
      return null;
    }

    @Override
    public void abort() {
      collected.end = "abort";
    }
  }
}
