package dev.drover.runtime;

import dev.drover.runtime.Planner.Plan;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Guarantee;
import dev.drover.spi.Progress;
import dev.drover.spi.RunMode;
import dev.drover.spi.Schema;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import dev.drover.transforms.Profile;
import dev.drover.transforms.Transform;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A sink that looks at the rows and keeps none. */
record Inference(Profile profile) implements Sink {

  /**
   * A plan that only looks at the rows of another.
   *
   * @param before the transforms that they pass first
   * @param limitRows how many of them; 0: all
   */
  static Plan plan(Plan of, Profile profile, List<Transform> before, long limitRows) {
    RunMode mode = new RunMode(false, false, Guarantee.AT_LEAST_ONCE, of.mode().writeMode());
    return new Plan(
        of.spec().withLimitRows(limitRows),
        of.source(),
        before,
        new Inference(profile),
        null,
        mode,
        CommitMode.ROWS,
        Guarantee.AT_LEAST_ONCE,
        "");
  }

  @Override
  public CommitMode commitMode() {
    return CommitMode.ROWS;
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new Looking(profile);
  }

  private record Seen(int rows) implements Encoded {
    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void release() {
      // Holds no memory.
    }
  }

  private record Looking(Profile profile) implements SinkWriter {
    @Override
    public Map<Split, String> restore() {
      return Map.of();
    }

    @Override
    public Encoder encoder(Schema schema) {
      return batch -> {
        profile.add(batch);
        return new Seen(batch.rows());
      };
    }

    @Override
    public CompletionStage<Written> write(Encoded rows) {
      return CompletableFuture.completedStage(Written.ALL);
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
