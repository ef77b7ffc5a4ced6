package dev.drover.testkit;

import dev.drover.spi.Capability;
import dev.drover.spi.Chunk;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Offset;
import dev.drover.spi.Progress;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Schema;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import dev.drover.spi.Traits;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import dev.drover.testkit.Faults.Kind;
import dev.drover.testkit.Faults.Point;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Another connector whose parts fail when told. */
public final class FaultyConnector implements Connector {

  private final Connector inner;
  private final Faults faults;

  public FaultyConnector(Connector inner, Faults faults) {
    this.inner = inner;
    this.faults = faults;
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public List<String> aliases() {
    return inner.aliases();
  }

  @Override
  public Set<Capability> capabilities() {
    return inner.capabilities();
  }

  @Override
  public @Nullable SourceType<?> source() {
    SourceType<?> type = inner.source();
    return type == null ? null : source(type);
  }

  private <C extends Record> SourceType<C> source(SourceType<C> type) {
    return new SourceType<>(
        type.config(),
        (config, access) -> new FaultySource(type.factory().create(config, access), faults));
  }

  @Override
  public @Nullable SinkType<?> sink() {
    SinkType<?> type = inner.sink();
    return type == null ? null : sink(type);
  }

  private <C extends Record> SinkType<C> sink(SinkType<C> type) {
    return new SinkType<>(
        type.config(),
        (config, access, mode) ->
            new FaultySink(type.factory().create(config, access, mode), faults));
  }

  private record FaultySource(Source inner, Faults faults) implements Source {
    @Override
    public Traits traits() {
      return inner.traits();
    }

    @Override
    public List<Split> splits() {
      return inner.splits();
    }

    @Override
    public String description() {
      return inner.description();
    }

    @Override
    public Reader reader(ReaderScope scope) {
      return new FaultyReader(inner.reader(scope), faults);
    }

    @Override
    public Offset offset(String text) {
      return inner.offset(text);
    }

    @Override
    public String fingerprint(Split split) {
      return inner.fingerprint(split);
    }

    @Override
    public @Nullable Object identity() {
      return inner.identity();
    }

    @Override
    public boolean reads(Object target) {
      return inner.reads(target);
    }

    @Override
    public long sizeBytes() {
      return inner.sizeBytes();
    }
  }

  private record FaultyReader(Reader inner, Faults faults) implements Reader {
    @Override
    public void assign(Split split, @Nullable Offset from) {
      inner.assign(split, from);
    }

    @Override
    public @Nullable Chunk read(Duration wait) {
      Faults.before(faults.next(Point.READ));
      return inner.read(wait);
    }

    @Override
    public void committed(Map<Split, Offset> upTo) {
      inner.committed(upTo);
    }

    @Override
    public void wakeUp() {
      inner.wakeUp();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private record FaultySink(Sink inner, Faults faults) implements Sink {
    @Override
    public CommitMode commitMode() {
      return inner.commitMode();
    }

    @Override
    public @Nullable Object identity() {
      return inner.identity();
    }

    @Override
    public SinkWriter writer(WriterScope scope) {
      return new FaultyWriter(inner.writer(scope), faults);
    }
  }

  private record FaultyWriter(SinkWriter inner, Faults faults) implements SinkWriter {
    @Override
    public Map<Split, String> restore() {
      Faults.before(faults.next(Point.RESTORE));
      return inner.restore();
    }

    @Override
    public Encoder encoder(Schema schema) {
      return inner.encoder(schema);
    }

    @Override
    public CompletionStage<Written> write(Encoded rows) {
      Kind kind = faults.next(Point.WRITE);
      if (kind == Kind.FAIL_LATER) {
        return CompletableFuture.supplyAsync(
            () -> {
              throw Faults.failure(kind);
            });
      }
      Faults.before(kind);
      CompletionStage<Written> answer = inner.write(rows);
      Faults.after(kind);
      return answer;
    }

    @Override
    public void commit(Map<Split, Progress> upTo) {
      Kind kind = faults.next(Point.COMMIT);
      Faults.before(kind);
      inner.commit(upTo);
      Faults.after(kind);
    }

    @Override
    public @Nullable Destination finish() {
      Kind kind = faults.next(Point.FINISH);
      Faults.before(kind);
      Destination where = inner.finish();
      Faults.after(kind);
      return where;
    }

    @Override
    public void abort() {
      inner.abort();
    }
  }
}
