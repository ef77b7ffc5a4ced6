package dev.drover.connectors.core;

import dev.drover.spi.CommitMode;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Progress;
import dev.drover.spi.Schema;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Counts rows and forgets them. */
final class NullSink implements Sink {

  @Override
  public CommitMode commitMode() {
    return CommitMode.ROWS;
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new NullWriter();
  }

  private record Dropped(int rows) implements Encoded {
    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void release() {
      // Holds no memory.
    }
  }

  private static final class NullWriter implements SinkWriter {
    private static final CompletionStage<Written> DONE =
        CompletableFuture.completedStage(Written.ALL);

    @Override
    public Map<Split, String> restore() {
      return Map.of();
    }

    @Override
    public Encoder encoder(Schema schema) {
      return batch -> new Dropped(batch.rows());
    }

    @Override
    public CompletionStage<Written> write(Encoded rows) {
      return DONE;
    }

    @Override
    public void commit(Map<Split, Progress> upTo) {
      // Nothing to make durable.
    }

    @Override
    public @Nullable Destination finish() {
      return null;
    }

    @Override
    public void abort() {
      // Nothing to take back.
    }
  }
}
