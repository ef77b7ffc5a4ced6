package dev.drover.runtime;

import dev.drover.formats.Practice;
import dev.drover.spi.Access;
import dev.drover.spi.Connector.SinkType;
import dev.drover.spi.Connector.SourceType;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Sink;
import dev.drover.spi.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts runs and remembers them. One a process; every method may be called by any thread. */
public final class Engine implements AutoCloseable {

  /** How many ended runs stay readable. */
  public static final int HISTORY = 100;

  /** How long a run gets to stop: {@code stop_timeout_ms}. */
  public static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private final Connectors connectors;
  private final Access access;
  private final PooledBuffers buffers;
  private final Map<String, Run> runs = new LinkedHashMap<>();
  private final List<String> reserved = new ArrayList<>();
  private int counter;
  private boolean closed;

  /**
   * @param access decides what connectors may touch
   */
  public Engine(Connectors connectors, Access access) {
    this(connectors, access, false);
  }

  /**
   * @param overwriteReleased whether memory is filled with rubbish when a connector gives it back,
   *     so that tests notice who still uses it
   */
  public Engine(Connectors connectors, Access access, boolean overwriteReleased) {
    this.connectors = connectors;
    this.access = access;
    this.buffers = new PooledBuffers(overwriteReleased);
  }

  /**
   * Practises moving rows on the calling thread for so long, so that the first route of a server
   * finds compiled code. Touches nothing outside the process.
   */
  public void practise(Duration budget) {
    Practice.run(buffers, budget);
  }

  public Connectors connectors() {
    return connectors;
  }

  /**
   * Starts a run. Everything that can be told before a row moves is checked first; then the run
   * goes on by itself.
   *
   * @throws SpecException if the route cannot run, with all that is known to be wrong
   */
  public Run start(RouteSpec spec, IfExists ifExists) {
    String name = spec.name() == null ? null : spec.name().strip();
    if (name != null && !name.isEmpty()) {
      Run existing = existing(name, spec, ifExists);
      if (existing != null) {
        return existing;
      }
    }
    String reservedName = reserve(name);
    try {
      List<Problem> problems = new ArrayList<>();
      Source source = collect(problems, () -> source(spec.source()), "/input", spec.source());
      Sink sink = collect(problems, () -> sink(spec.sink()), "/output", spec.sink());
      if (source == null || sink == null) {
        throw new SpecException(problems);
      }
      checkPair(spec, source, sink);
      Run run = new Run(reservedName, spec, source, sink, access, buffers);
      add(run);
      run.start();
      return run;
    } finally {
      synchronized (this) {
        reserved.remove(reservedName);
      }
    }
  }

  private static void checkPair(RouteSpec spec, Source source, Sink sink) {
    Object read = source.identity();
    if (read != null && read.equals(sink.identity())) {
      throw new SpecException(
          List.of(
              new Problem(
                  ErrorCode.SAME_FILE,
                  "/output",
                  "input and output are the same file",
                  "write to another file")));
    }
    if (Boolean.FALSE.equals(spec.exitOnEmpty()) && source.traits().finite()) {
      throw new SpecException(
          List.of(
              new Problem(
                  ErrorCode.NOT_SUPPORTED,
                  "/exit_on_empty",
                  "the '%s' source ends with its last row and cannot wait for more"
                      .formatted(spec.source().connector().name()),
                  "leave exit_on_empty out, or set it to true")));
    }
  }

  private @Nullable Run existing(String name, RouteSpec spec, IfExists ifExists) {
    Run run = find(name);
    if (run == null) {
      return null;
    }
    boolean goesOn = !run.status().finished();
    return switch (ifExists) {
      case ERROR -> null;
      case RETURN -> goesOn || sameRoute(run.spec(), spec) ? run : null;
      case REPLACE -> {
        if (goesOn) {
          stopNow(run);
        }
        yield null;
      }
    };
  }

  private static void stopNow(Run run) {
    try {
      run.stop(StopMode.NOW, STOP_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean sameRoute(RouteSpec a, RouteSpec b) {
    return a.source().equals(b.source()) && a.sink().equals(b.sink());
  }

  private synchronized String reserve(@Nullable String wanted) {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
    String name = wanted;
    if (name == null || name.isEmpty()) {
      do {
        counter++;
        name = "route-" + counter;
      } while (runs.containsKey(name) || reserved.contains(name));
    }
    Run running = runs.get(name);
    if (reserved.contains(name) || (running != null && !running.status().finished())) {
      throw new SpecException(
          List.of(
              new Problem(
                  ErrorCode.ROUTE_EXISTS,
                  "/name",
                  "a route named '" + ConfigBinder.cut(name) + "' is running",
                  "stop it, choose another name, or set if_exists to return or replace")));
    }
    reserved.add(name);
    return name;
  }

  private synchronized void add(Run run) {
    runs.remove(run.name());
    runs.put(run.name(), run);
    long ended = runs.values().stream().filter(r -> r.status().finished()).count();
    Iterator<Run> oldest = runs.values().iterator();
    while (ended > HISTORY && oldest.hasNext()) {
      if (oldest.next().status().finished()) {
        oldest.remove();
        ended--;
      }
    }
  }

  private <C extends Record> Source source(EndpointSpec<C> endpoint) {
    SourceType<?> type = endpoint.connector().source();
    if (type == null) {
      throw new IllegalStateException(endpoint.connector().name() + " has no source");
    }
    return create(type, endpoint.config());
  }

  private <C extends Record> Source create(SourceType<C> type, Record config) {
    return type.factory().create(type.config().cast(config), access);
  }

  private <C extends Record> Sink sink(EndpointSpec<C> endpoint) {
    SinkType<?> type = endpoint.connector().sink();
    if (type == null) {
      throw new IllegalStateException(endpoint.connector().name() + " has no sink");
    }
    return create(type, endpoint.config());
  }

  private <C extends Record> Sink create(SinkType<C> type, Record config) {
    return type.factory().create(type.config().cast(config), access);
  }

  private static <T> @Nullable T collect(
      List<Problem> problems, Supplier<T> factory, String path, EndpointSpec<?> endpoint) {
    try {
      return factory.get();
    } catch (DroverException e) {
      problems.add(e.problem().under(path + "/" + endpoint.connector().name()));
      return null;
    }
  }

  /** The run of this name, the latest if there were several; null if none is known. */
  public synchronized @Nullable Run find(String name) {
    return runs.get(name);
  }

  /** Running and remembered runs, by start, oldest first. */
  public synchronized List<Run> runs() {
    return List.copyOf(runs.values());
  }

  /**
   * Ends what runs within {@link #STOP_TIMEOUT}: runs that end by themselves may do so, others read
   * no more; then what is left is dropped. Starts nothing any more.
   */
  @Override
  public void close() {
    List<Run> open;
    synchronized (this) {
      closed = true;
      open = runs.values().stream().filter(run -> !run.status().finished()).toList();
    }
    try {
      for (Run run : open) {
        if (!run.endsByItself()) {
          run.stop(StopMode.DRAIN, Duration.ZERO);
        }
      }
      long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
      for (Run run : open) {
        if (!run.await(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
          run.stop(StopMode.NOW, Duration.ofSeconds(1));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
