package dev.drover.mcp;

import dev.drover.spi.Access;
import dev.drover.spi.Capability;
import dev.drover.spi.Chunk;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Offset;
import dev.drover.spi.Option;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connector without rows that behaves as a test wants. Public for the service loader. */
public final class ProbeConnector implements Connector {

  /** What the source does. */
  enum Behaviour {
    /** Never has a row and never ends. */
    IDLE,
    /** Prints to standard output and ends. */
    NOISY,
    /** Has a bug that shows when it is made. */
    BROKEN
  }

  record SourceConfig(
      @Option(value = "What it does.", defaultValue = "idle") Behaviour behaviour,
      @Option(value = "Something that nobody may see.", secret = true) @Nullable String password) {}

  record SinkConfig() {}

  @Override
  public String name() {
    return "probe";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public SourceType<?> source() {
    return new SourceType<>(SourceConfig.class, ProbeConnector::source);
  }

  @Override
  public SinkType<?> sink() {
    return new SinkType<>(SinkConfig.class, (config, access, mode) -> new EmptySink());
  }

  private static Source source(SourceConfig config, Access access) {
    if (config.behaviour() == Behaviour.BROKEN) {
      throw new IllegalStateException("password=hunter2 in dev.drover.Secret");
    }
    return new EmptySource(config.behaviour());
  }

  private record EmptySource(Behaviour behaviour) implements Source {
    @Override
    public Traits traits() {
      return new Traits(behaviour == Behaviour.NOISY, false, behaviour == Behaviour.IDLE);
    }

    @Override
    public List<Split> splits() {
      return List.of(new Split("only"));
    }

    @Override
    public String description() {
      return "probe";
    }

    @Override
    public Reader reader(ReaderScope scope) {
      return new EmptyReader(behaviour, scope);
    }

    @Override
    public Offset offset(String text) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class EmptyReader implements Reader {
    private final Behaviour behaviour;
    private final ReaderScope scope;
    private final Semaphore woken = new Semaphore(0);

    EmptyReader(Behaviour behaviour, ReaderScope scope) {
      this.behaviour = behaviour;
      this.scope = scope;
    }

    @Override
    public void assign(Split split, @Nullable Offset from) {}

    @Override
    @SuppressWarnings("SystemOut") // What a careless library does.
    public @Nullable Chunk read(Duration wait) {
      if (behaviour == Behaviour.NOISY) {
        System.out.println("hello from a connector");
        scope.finished(new Split("only"));
        return null;
      }
      try {
        woken.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return null;
    }

    @Override
    public void wakeUp() {
      woken.release();
    }

    @Override
    public void close() {}
  }

  private static final class EmptySink implements Sink {
    @Override
    public CommitMode commitMode() {
      return CommitMode.ROWS;
    }

    @Override
    public SinkWriter writer(WriterScope scope) {
      return new EmptyWriter();
    }
  }

  private static final class EmptyWriter implements SinkWriter {
    @Override
    public Map<Split, String> restore() {
      return Map.of();
    }

    @Override
    public Encoder encoder(Schema schema) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Written> write(Encoded rows) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void commit(Map<Split, Progress> upTo) {}

    @Override
    public @Nullable Destination finish() {
      return null;
    }

    @Override
    public void abort() {}
  }
}
