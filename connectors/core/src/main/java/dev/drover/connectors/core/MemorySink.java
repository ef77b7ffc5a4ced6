package dev.drover.connectors.core;

import dev.drover.connectors.core.MemoryTopic.Claim;
import dev.drover.spi.Batch;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.Progress;
import dev.drover.spi.RunMode;
import dev.drover.spi.Schema;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a topic; rows are seen there once they are committed. The topic keeps the checkpoint of
 * a run that has one.
 */
final class MemorySink implements Sink {

  private final MemorySinkConfig config;
  private final MemoryTopic topic;
  private final CommitMode commitMode;

  MemorySink(MemorySinkConfig config, MemoryTopic topic, RunMode mode) {
    this.config = config;
    this.topic = topic;
    commitMode = mode.resumable() ? CommitMode.WITH_CHECKPOINT : CommitMode.ROWS;
  }

  @Override
  public CommitMode commitMode() {
    return commitMode;
  }

  @Override
  public @Nullable Object identity() {
    return topic;
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new MemoryWriter(scope);
  }

  /** A batch in memory of its own. */
  record Copied(Batch batch, long bytes) implements Encoded {
    @Override
    public int rows() {
      return batch.rows();
    }

    @Override
    public void release() {
      // Belongs to the topic from now on.
    }
  }

  /** Copies what the cells point to, without the gaps between. */
  static Copied copy(Batch batch) {
    Schema schema = batch.schema();
    int size = schema.size();
    long[] cells = Arrays.copyOf(batch.cells(), batch.rows() * size);
    byte[] marks = batch.marks() == null ? null : Arrays.copyOf(batch.marks(), cells.length);
    int length = 0;
    for (int i = 0; i < cells.length; i++) {
      length += isSlice(schema, batch, i, size) ? Batch.length(cells[i]) : 0;
    }
    byte[] arena = new byte[length + Batch.PADDING];
    int place = 0;
    for (int i = 0; i < cells.length; i++) {
      if (isSlice(schema, batch, i, size)) {
        int bytes = Batch.length(cells[i]);
        System.arraycopy(batch.arena(), Batch.offset(cells[i]), arena, place, bytes);
        cells[i] = Batch.slice(place, bytes);
        place += bytes;
      }
    }
    Batch copy = new Batch(schema, batch.rows(), arena, cells, marks);
    return new Copied(copy, arena.length + Long.BYTES * (long) cells.length);
  }

  private static boolean isSlice(Schema schema, Batch batch, int cell, int size) {
    Field field = schema.fields().get(cell % size);
    byte[] marks = batch.marks();
    return field.type().isSliced() && (marks == null || marks[cell] == Batch.VALUE);
  }

  private final class MemoryWriter implements SinkWriter {
    private final WriterScope scope;
    private final List<Copied> written = new ArrayList<>();
    private long epoch;

    MemoryWriter(WriterScope scope) {
      this.scope = scope;
    }

    @Override
    public Map<Split, String> restore() {
      if (commitMode == CommitMode.ROWS) {
        return Map.of();
      }
      Claim claim = topic.claim(scope.checkpointId(), scope.resume());
      epoch = claim.epoch();
      return claim.stored();
    }

    @Override
    public Encoder encoder(Schema schema) {
      return MemorySink::copy;
    }

    @Override
    public CompletionStage<Written> write(Encoded rows) {
      written.add((Copied) rows);
      return CompletableFuture.completedStage(Written.ALL);
    }

    @Override
    public void commit(Map<Split, Progress> upTo) {
      Map<Split, String> stored = new HashMap<>();
      upTo.forEach((split, progress) -> stored.put(split, progress.stored()));
      String id = commitMode == CommitMode.ROWS ? "" : scope.checkpointId();
      if (!topic.append(written, config.maxStoredBytes(), id, epoch, stored)) {
        throw new DroverException(
            new Problem(
                ErrorCode.LIMIT_EXCEEDED,
                "",
                "the topic would hold more than max_stored_bytes, which is "
                    + config.maxStoredBytes(),
                "read the topic with another route, or raise max_stored_bytes"));
      }
      written.clear();
    }

    @Override
    public @Nullable Destination finish() {
      topic.forget(scope.checkpointId());
      return new Destination("memory:" + config.topic(), false);
    }

    @Override
    public void abort() {
      written.clear();
    }
  }
}
