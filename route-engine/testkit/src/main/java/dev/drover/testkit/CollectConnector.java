package dev.drover.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import dev.drover.spi.RejectedRow;
import dev.drover.spi.RunMode;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A sink that keeps rows for a test to look at: {@code {"collect": {"into": new Collected(),
 * "keeps": "rows"}}}. It can keep them in each of the ways that a {@link CommitMode} names.
 */
public final class CollectConnector implements Connector {

  /** Rows as texts, null for null or absent, in the order of writing. Thread-safe. */
  public static final class Collected {
    private final List<List<@Nullable String>> rows =
        Collections.synchronizedList(new ArrayList<>());
    private final List<Schema> schemas = Collections.synchronizedList(new ArrayList<>());
    private final List<Map<Split, Offset>> commits =
        Collections.synchronizedList(new ArrayList<>());
    private final Map<Split, String> checkpoint = new ConcurrentHashMap<>();
    private volatile int failAfterRows = Integer.MAX_VALUE;
    private volatile Executor answering = Runnable::run;
    private volatile @Nullable String refused;
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

    /** Rows whose first field ends with this text are refused for their content. */
    public Collected refusing(String suffix) {
      refused = suffix;
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
  record Config(
      @Option("Takes the rows") Object into,
      @Option(value = "How they are kept", defaultValue = "rows") CommitMode keeps) {}

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
        Config.class,
        (config, access, mode) ->
            new CollectSink((Collected) config.into(), commitMode(config.keeps(), mode)));
  }

  private static CommitMode commitMode(CommitMode wanted, RunMode mode) {
    boolean noCheckpoint = wanted == CommitMode.WITH_CHECKPOINT && !mode.resumable();
    return noCheckpoint ? CommitMode.AT_END : wanted;
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

  private record CollectSink(Collected collected, CommitMode commitMode) implements Sink {
    @Override
    public SinkWriter writer(WriterScope scope) {
      return new CollectWriter(collected, commitMode, scope.resume());
    }
  }

  private static final class CollectWriter implements SinkWriter {
    private final Collected collected;
    private final CommitMode mode;
    private final boolean resume;
    private final List<List<@Nullable String>> written =
        Collections.synchronizedList(new ArrayList<>());

    CollectWriter(Collected collected, CommitMode mode, boolean resume) {
      this.collected = collected;
      this.mode = mode;
      this.resume = resume;
    }

    @Override
    public Map<Split, String> restore() {
      if (mode != CommitMode.WITH_CHECKPOINT || !resume) {
        collected.checkpoint.clear();
      }
      return Map.copyOf(collected.checkpoint);
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
                  new DroverException(ErrorCode.DISK_FULL, "the collection is full"));
            } else {
              answer.complete(take(((Rows) rows).texts()));
            }
          });
      return answer;
    }

    private Written take(List<List<@Nullable String>> rows) {
      List<List<@Nullable String>> to = mode == CommitMode.ROWS ? collected.rows : written;
      String suffix = collected.refused;
      List<RejectedRow> refused = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        String first = rows.get(i).isEmpty() ? null : rows.get(i).getFirst();
        if (suffix != null && first != null && first.endsWith(suffix)) {
          byte[] bytes = first.getBytes(UTF_8);
          refused.add(
              new RejectedRow(ErrorCode.INVALID_ARGUMENT, i + 1L, 0, 0, "not wanted here")
                  .withRow(bytes, 0, bytes.length));
        } else {
          to.add(rows.get(i));
        }
      }
      return new Written(refused);
    }

    @Override
    public void commit(Map<Split, Progress> upTo) {
      Map<Split, Offset> offsets = new HashMap<>();
      upTo.forEach((split, progress) -> offsets.put(split, progress.offset()));
      collected.commits.add(offsets);
      if (mode == CommitMode.WITH_CHECKPOINT) {
        show();
        upTo.forEach((split, progress) -> collected.checkpoint.put(split, progress.stored()));
      }
    }

    private void show() {
      collected.rows.addAll(written);
      written.clear();
    }

    @Override
    public @Nullable Destination finish() {
      show();
      collected.checkpoint.clear();
      collected.end = "finish";
      return null;
    }

    @Override
    public void abort() {
      written.clear();
      collected.end = "abort";
    }
  }
}
