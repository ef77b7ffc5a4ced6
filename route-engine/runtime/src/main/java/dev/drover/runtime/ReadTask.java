package dev.drover.runtime;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.spi.Access;
import dev.drover.spi.Buffers;
import dev.drover.spi.Capability;
import dev.drover.spi.Chunk;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reading thread of a run: fills the ring as long as there is room. A reader that fails for a
 * reason that may pass is replaced by another, which goes on behind the last chunk.
 */
final class ReadTask implements Runnable, ReaderScope {

  /** How long a reader may wait for rows before it is asked again. */
  private static final Duration WAIT = Duration.ofMillis(100);

  private final Source source;
  private final List<Split> splits;
  private final Map<Split, Offset> ends = new HashMap<>();
  private final Ring ring;
  private final Counters counters;
  private final Access access;
  private final Buffers buffers;
  private final RouteSpec spec;
  private final boolean exitOnEmpty;
  private final Consumer<String> warnings;
  private final Runnable readingEnded;
  private final Set<Split> unfinished;
  private final AtomicReference<@Nullable Map<Split, Offset>> committed = new AtomicReference<>();

  private volatile boolean stopping;
  private boolean closing;
  private volatile @Nullable Reader reader;

  // Of the current reader.
  private final Deque<Split> waiting = new ArrayDeque<>();
  private int assigned;
  private int failures;

  ReadTask(
      Source source,
      Map<Split, Reached> from,
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
    this.ring = ring;
    this.counters = counters;
    this.access = access;
    this.buffers = buffers;
    this.spec = spec;
    this.exitOnEmpty = exitOnEmpty;
    this.warnings = warnings;
    this.readingEnded = readingEnded;
    this.unfinished = new LinkedHashSet<>(splits);
    from.forEach((split, reached) -> ends.put(split, reached.offset()));
  }

  @Override
  public void run() {
    boolean ended = false;
    try {
      while (!readWithOne()) {
        // The next reader goes on.
      }
      ended = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      ended = true;
      end(e);
    } finally {
      if (!ended) {
        end(null);
      }
    }
  }

  /** Reads until there is no more, or the reader fails and may be replaced: then false. */
  private boolean readWithOne() throws InterruptedException {
    boolean allRead = false;
    try (Reader opened = source.reader(this)) {
      reader = opened;
      waiting.clear();
      waiting.addAll(unfinished);
      assigned = 0;
      readAll(opened);
      allRead = true;
      end(null);
      tellCommits(opened);
    } catch (RuntimeException e) {
      if (allRead) {
        warnings.accept("the source could not be closed cleanly: " + e.getMessage());
        return true;
      }
      if (!mayReplace(e)) {
        throw e;
      }
      return false;
    } finally {
      reader = null;
    }
    return true;
  }

  private boolean mayReplace(RuntimeException e) throws InterruptedException {
    failures++;
    RetryPolicy retry = spec.retry();
    return !stopping
        && RetryPolicy.mayPass(e)
        && failures < retry.maxAttempts()
        && (ends.isEmpty() || spec.source().can(Capability.RESUME))
        && ring.pause(retry.pauseNanos(failures, ThreadLocalRandom.current()));
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
      assign(opened);
      counters.firstRead(access.nanoTime());
      Chunk chunk = opened.read(WAIT);
      if (chunk != null) {
        failures = 0;
        counters.read(chunk.bytes());
        ends.put(chunk.split(), chunk.end());
        ring.publish(chunk);
      } else if (unfinished.isEmpty()) {
        return;
      }
      tellCommitted(opened);
    }
  }

  /** One split after the other where the order counts, else all at once. */
  private void assign(Reader opened) {
    boolean oneByOne = exitOnEmpty && spec.options().ordered();
    while (!waiting.isEmpty() && (assigned == 0 || !oneByOne)) {
      Split split = waiting.removeFirst();
      assigned++;
      opened.assign(split, ends.get(split));
    }
  }

  /** Any thread: reads no more. */
  void stop() {
    stopping = true;
    Reader opened = reader;
    if (opened != null) {
      opened.wakeUp();
    }
    ring.wake();
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
    return spec.options().batchRows();
  }

  @Override
  public int maxBatchBytes() {
    return spec.options().batchBytes();
  }

  @Override
  public Duration flushInterval() {
    return Duration.ofMillis(spec.options().flushIntervalMs());
  }

  @Override
  public boolean exitOnEmpty() {
    return exitOnEmpty;
  }

  @Override
  public void finished(Split split) {
    if (unfinished.remove(split)) {
      assigned--;
    }
  }

  @Override
  public void warn(String text) {
    warnings.accept(text);
  }
}
