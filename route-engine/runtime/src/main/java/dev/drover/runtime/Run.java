package dev.drover.runtime;

import dev.drover.spi.Access;
import dev.drover.spi.Buffers;
import dev.drover.spi.Capability;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a route. Made by {@link Engine#start}; every method may be called by any thread,
 * also after the run has ended.
 */
public final class Run {

  /** What may be in flight between reader and sink: {@code max_in_flight_bytes}. */
  private static final long MAX_IN_FLIGHT_BYTES = 16L << 20;

  /** How long threads that must end at once get before they are interrupted. */
  private static final long GRACE_MILLIS = 200;

  private static final int MAX_WARNINGS = 5;

  private final String name;
  private final RouteSpec spec;
  private final Source source;
  private final Sink sink;
  private final Access access;
  private final Buffers buffers;
  private final Ring ring;
  private final Counters counters = new Counters();
  private final CompletableFuture<RunStatus> ended = new CompletableFuture<>();
  private final long totalBytes;

  private final Object lock = new Object();
  private RunState state = RunState.STARTING;
  private boolean allRead;
  private boolean stopAsked;
  private boolean dropping;
  private @Nullable ReadTask readTask;
  private @Nullable Problem error;
  private @Nullable Stage errorStage;
  private @Nullable Destination destination;
  private final List<String> warnings = new ArrayList<>();

  Run(String name, RouteSpec spec, Source source, Sink sink, Access access, Buffers buffers) {
    this.name = name;
    this.spec = spec;
    this.source = source;
    this.sink = sink;
    this.access = access;
    this.buffers = buffers;
    this.ring = new Ring(4 + 3 * workers(), MAX_IN_FLIGHT_BYTES);
    this.totalBytes = source.sizeBytes();
  }

  /** A row limit is only exact with one worker: it sees all rows in order. */
  private int workers() {
    return spec.limitRows() > 0 ? 1 : spec.concurrency();
  }

  void start() {
    thread("writer", this::runAndEnd).start();
  }

  private Thread thread(String role, Runnable task) {
    return Thread.ofPlatform().daemon().name("drover-" + name + "-" + role).unstarted(task);
  }

  public String name() {
    return name;
  }

  public RouteSpec spec() {
    return spec;
  }

  /** A picture of this instant; never blocks for long. */
  public RunStatus status() {
    synchronized (lock) {
      Counters.Snapshot numbers = counters.snapshot(access.nanoTime());
      return new RunStatus(
          name,
          state,
          numbers.messages(),
          numbers.committed(),
          numbers.rejected(),
          numbers.bytesIn(),
          numbers.bytesOut(),
          totalBytes,
          numbers.elapsedNanos(),
          numbers.messagesPerSecond(),
          error,
          errorStage == null ? null : errorStage.wire(),
          destination,
          List.copyOf(warnings));
    }
  }

  /** Completes with the last status, never exceptionally. */
  public CompletionStage<RunStatus> ended() {
    return ended.minimalCompletionStage();
  }

  /**
   * Waits for the end.
   *
   * @return whether the run has ended
   */
  public boolean await(Duration atMost) throws InterruptedException {
    try {
      ended.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Stops the run; one that has read everything still completes under {@link StopMode#DRAIN}. A
   * sink that shows nothing before the end is left as it was.
   *
   * @return whether the run has ended within the time
   */
  public boolean stop(StopMode mode, Duration atMost) throws InterruptedException {
    ReadTask reading;
    synchronized (lock) {
      if (state.isFinal()) {
        return true;
      }
      stopAsked |= !allRead;
      if (mode == StopMode.NOW) {
        stopAsked = true;
        dropping = true;
      }
      reading = readTask;
    }
    if (mode == StopMode.NOW) {
      ring.close();
    }
    if (reading != null) {
      reading.stop();
    }
    return await(atMost);
  }

  private void runAndEnd() {
    RunState outcome;
    try {
      outcome = execute();
    } catch (Throwable e) {
      outcome = failed(Stage.WRITE, e);
    }
    counters.end(access.nanoTime());
    synchronized (lock) {
      state = outcome;
    }
    ended.complete(status());
  }

  private RunState execute() {
    SinkWriter writer;
    Map<Split, Offset> from;
    try {
      writer = sink.writer(new Scope(access, buffers));
      from = writer.restore();
    } catch (Throwable e) {
      return failed(Stage.WRITE, e);
    }
    ReadTask reading = readTask(from);
    DecodeTask.Encoders encoders = new DecodeTask.Encoders();
    List<Thread> threads = new ArrayList<>();
    threads.add(thread("reader", reading));
    long limit = spec.limitRows() > 0 ? spec.limitRows() : Long.MAX_VALUE;
    for (int i = 1; i <= workers(); i++) {
      DecodeTask task = new DecodeTask(ring, encoders, limit, () -> limitReached(reading));
      threads.add(thread("worker-" + i, task));
    }
    WriteTask writing =
        new WriteTask(
            writer,
            ring,
            encoders,
            counters,
            access::nanoTime,
            !spec.sink().connector().capabilities().contains(Capability.ATOMIC),
            reading::committed);
    beginReading(reading);
    RunState outcome;
    try {
      threads.forEach(Thread::start);
      writing.writeAll();
      outcome = end(writer, writing);
    } catch (WriteTask.WriteFailure e) {
      outcome =
          e.problem() != null
              ? failed(e.stage(), e.problem())
              : failed(e.stage(), e.getCause() == null ? e : e.getCause());
    } catch (Throwable e) {
      outcome = failed(Stage.WRITE, e);
    }
    shutDown(reading, threads);
    if (outcome != RunState.COMPLETED) {
      abort(writer);
    }
    // Not before the sink has let go of what it was writing.
    ring.releaseAll();
    return outcome;
  }

  /** Whether the run ends when the source has no more rows. */
  boolean endsByItself() {
    Boolean wanted = spec.exitOnEmpty();
    return wanted == null ? source.traits().finite() : wanted;
  }

  private ReadTask readTask(Map<Split, Offset> from) {
    return new ReadTask(
        source,
        from,
        ring,
        counters,
        access,
        buffers,
        spec,
        endsByItself(),
        this::warn,
        this::readingEnded);
  }

  private void beginReading(ReadTask reading) {
    boolean stopped;
    synchronized (lock) {
      readTask = reading;
      state = RunState.RUNNING;
      stopped = stopAsked;
    }
    if (stopped) {
      reading.stop();
    }
  }

  private void readingEnded() {
    synchronized (lock) {
      allRead = !stopAsked;
      state = RunState.DRAINING;
    }
  }

  private void limitReached(ReadTask reading) {
    synchronized (lock) {
      allRead = !stopAsked;
    }
    reading.stop();
  }

  /** Commits and finishes, unless the run was stopped before the end. */
  private RunState end(SinkWriter writer, WriteTask writing)
      throws WriteTask.WriteFailure, InterruptedException {
    boolean stopped;
    boolean drop;
    synchronized (lock) {
      stopped = stopAsked;
      drop = dropping;
    }
    boolean atomic = spec.sink().connector().capabilities().contains(Capability.ATOMIC);
    if (drop || (stopped && atomic)) {
      return RunState.STOPPED;
    }
    writing.commit();
    if (stopped) {
      return RunState.STOPPED;
    }
    Destination where;
    try {
      where = writer.finish();
    } catch (Throwable e) {
      return failed(Stage.COMMIT, e);
    }
    synchronized (lock) {
      destination = where;
    }
    return RunState.COMPLETED;
  }

  private void abort(SinkWriter writer) {
    try {
      writer.abort();
    } catch (RuntimeException e) {
      log().warn("route {}: cleaning up failed", name, e);
      warn("cleaning up failed: " + problem(e).message());
    }
  }

  private void shutDown(ReadTask reading, List<Thread> threads) {
    ring.close();
    reading.close();
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        if (!thread.join(Duration.ofMillis(GRACE_MILLIS))) {
          thread.interrupt();
          thread.join();
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private RunState failed(Stage stage, Throwable cause) {
    return failed(stage, problem(cause));
  }

  private RunState failed(Stage stage, Problem problem) {
    synchronized (lock) {
      if (error == null) {
        error = problem;
        errorStage = stage;
      }
    }
    return RunState.FAILED;
  }

  private Problem problem(Throwable cause) {
    Throwable e = cause;
    while (e instanceof java.util.concurrent.CompletionException && e.getCause() != null) {
      e = e.getCause();
    }
    if (e instanceof DroverException known) {
      return known.problem();
    }
    if (e instanceof OutOfMemoryError) {
      return new Problem(
          ErrorCode.OUT_OF_MEMORY,
          "",
          "the process has not enough memory for this route",
          "use a smaller max_batch_rows or concurrency, or give the process more memory");
    }
    String id = Long.toHexString(System.identityHashCode(e) * 31L + access.nanoTime());
    log().error("route {}: internal error {}", name, id, e);
    return new Problem(
        ErrorCode.INTERNAL,
        "",
        "internal error " + id + "; the log has the details",
        "report it with the log");
  }

  private void warn(String text) {
    synchronized (lock) {
      if (warnings.size() < MAX_WARNINGS && !warnings.contains(text)) {
        warnings.add(text);
      }
    }
  }

  private record Scope(Access access, Buffers buffers) implements WriterScope {}

  /**
   * Made when there is something to say: a logging system takes longer to start than a small run.
   */
  private static Logger log() {
    return LoggerFactory.getLogger(Run.class);
  }
}
