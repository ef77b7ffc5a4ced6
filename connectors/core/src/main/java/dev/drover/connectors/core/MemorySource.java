package dev.drover.connectors.core;

import dev.drover.connectors.core.MemoryTopic.Stored;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import dev.drover.spi.Traits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a topic from its oldest row on. */
final class MemorySource implements Source {

  private final Split split;
  private final MemoryTopic topic;

  MemorySource(String name, MemoryTopic topic) {
    this.split = new Split("memory:" + name);
    this.topic = topic;
  }

  @Override
  public Traits traits() {
    return new Traits(false, false, true);
  }

  @Override
  public List<Split> splits() {
    return List.of(split);
  }

  @Override
  public @Nullable Object identity() {
    return topic;
  }

  @Override
  public String description() {
    return split.id();
  }

  @Override
  public Reader reader(ReaderScope scope) {
    return new MemoryReader(scope);
  }

  @Override
  public Offset offset(String text) {
    return RowOffset.parse(text);
  }

  private final class MemoryReader implements Reader {
    private final ReaderScope scope;
    private long place;
    private boolean finished;

    MemoryReader(ReaderScope scope) {
      this.scope = scope;
    }

    @Override
    public void assign(Split assigned, @Nullable Offset from) {
      place = from == null ? 0 : ((RowOffset) from).rows();
    }

    @Override
    public @Nullable Chunk read(Duration wait) {
      if (finished) {
        return null;
      }
      try {
        Stored stored = topic.after(place, scope.exitOnEmpty() ? 0 : wait.toNanos());
        if (stored == null) {
          finished = scope.exitOnEmpty();
          if (finished) {
            scope.finished(split);
          }
          return null;
        }
        place = stored.end();
        return new StoredChunk(split, stored);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    @Override
    public void committed(Map<Split, Offset> upTo) {
      if (upTo.get(split) instanceof RowOffset offset) {
        topic.removeUntil(offset.rows());
      }
    }

    @Override
    public void wakeUp() {
      topic.wakeUp();
    }

    @Override
    public void close() {
      finished = true;
    }
  }

  private record StoredChunk(Split split, Stored stored) implements Chunk {
    @Override
    public Offset end() {
      return new RowOffset(stored.end());
    }

    @Override
    public int bytes() {
      return (int) Math.min(Integer.MAX_VALUE, stored.bytes());
    }

    @Override
    public void decode(Decoded out) {
      out.batch(stored.batch());
      out.advanced(stored.batch().rows(), 0);
    }

    @Override
    public void release() {
      // The topic owns the memory.
    }
  }
}
