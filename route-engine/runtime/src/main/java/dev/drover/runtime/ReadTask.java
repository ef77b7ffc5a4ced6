package dev.drover.runtime;

import dev.drover.spi.Access;
import dev.drover.spi.Buffers;
import dev.drover.spi.Chunk;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The reading thread of a run: fills the ring as long as there is room. */
final class ReadTask implements Runnable, ReaderScope {

  /** How long a reader may wait for rows before it is asked again. */
  private static final Duration WAIT = Duration.ofMillis(100);

  private final Source source;
  private final List<Split> splits;
  private final Map<Split, Offset> from;
  private final Ring ring;
  private final Counters counters;
  private final Access access;
  private final Buffers buffers;
  private final int maxBatchRows;
  private final boolean exitOnEmpty;
  private final Consumer<String> warnings;
  private final Runnable readingEnded;
  private final Set<Split> open;
  private final AtomicReference<@Nullable Map<Split, Offset>> committed = new AtomicReference<>();

  private volatile boolean stopping;
  private boolean closing;
  private volatile @Nullable Reader reader;

  ReadTask(
      Source source,
      Map<Split, Offset> from,
      Ring ring,
      Counters counters,
      Access access,
      Buffers buffers,
      RouteSpec spec,
      boolean exitOnEmpty,
      Consumer<String> warnings,
      Runnable readingEnded) {
    this.source = source;
    this.splits = source.splits();
    this.from = from;
    this.ring = ring;
    this.counters = counters;
    this.access = access;
    this.buffers = buffers;
    this.maxBatchRows = spec.maxBatchRows();
    this.exitOnEmpty = exitOnEmpty;
    this.warnings = warnings;
    this.readingEnded = readingEnded;
    this.open = new HashSet<>(splits);
  }

  @Override
  public void run() {
    boolean ended = false;
    try (Reader opened = source.reader(this)) {
      reader = opened;
      for (Split split : splits) {
        opened.assign(split, from.get(split));
      }
      readAll(opened);
      ended = true;
      end(null);
      tellCommits(opened);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      if (ended) {
        warnings.accept("the source could not be closed cleanly: " + e.getMessage());
      } else {
        ended = true;
        end(e);
      }
    } finally {
      if (!ended) {
        end(null);
      }
    }
  }

  private void end(@Nullable Throwable failure) {
    readingEnded.run();
    ring.end(failure);
  }

  /** The last commit comes after the last read; the reader hears of it on its own thread. */
  private void tellCommits(Reader opened) throws InterruptedException {
    while (true) {
      boolean last;
      synchronized (committed) {
        while (!closing && committed.get() == null) {
          committed.wait();
        }
        last = closing;
      }
      tellCommitted(opened);
      if (last) {
        return;
      }
    }
  }

  private void tellCommitted(Reader opened) {
    Map<Split, Offset> upTo = committed.getAndSet(null);
    if (upTo != null) {
      opened.committed(upTo);
    }
  }

  private void readAll(Reader opened) throws InterruptedException {
    while (!stopping && ring.awaitRoom()) {
      counters.firstRead(access.nanoTime());
      Chunk chunk = opened.read(WAIT);
      if (chunk != null) {
        counters.read(chunk.bytes());
        ring.publish(chunk);
      } else if (open.isEmpty()) {
        return;
      }
      tellCommitted(opened);
    }
  }

  /** Any thread: reads no more. */
  void stop() {
    stopping = true;
    Reader opened = reader;
    if (opened != null) {
      opened.wakeUp();
    }
  }

  /** Any thread: the reader will be told. */
  void committed(Map<Split, Offset> upTo) {
    synchronized (committed) {
      committed.set(upTo);
      committed.notifyAll();
    }
  }

  /** Any thread: no commit will follow, the reader may be closed. */
  void close() {
    stop();
    synchronized (committed) {
      closing = true;
      committed.notifyAll();
    }
  }

  @Override
  public Access access() {
    return access;
  }

  @Override
  public Buffers buffers() {
    return buffers;
  }

  @Override
  public int maxBatchRows() {
    return maxBatchRows;
  }

  @Override
  public boolean exitOnEmpty() {
    return exitOnEmpty;
  }

  @Override
  public void finished(Split split) {
    open.remove(split);
  }

  @Override
  public void warn(String text) {
    warnings.accept(text);
  }
}
