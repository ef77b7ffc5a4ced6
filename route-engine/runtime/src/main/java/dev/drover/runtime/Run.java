package dev.drover.runtime;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.runtime.Planner.Plan;
import dev.drover.spi.Access;
import dev.drover.spi.Buffers;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.transforms.Infer;
import dev.drover.transforms.Profile;
import dev.drover.transforms.Transform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a route. Made by {@link Engine#start}; every method may be called by any thread,
 * also after the run has ended.
 */
public final class Run {

  /** What is left of the time to stop for dropping what could not be drained, at most. */
  private static final Duration DROP_TIME = Duration.ofMillis(500);

  private static final int MAX_WARNINGS = 5;

  private final String name;
  private final Plan plan;
  private final Access access;
  private final Buffers buffers;
  private final CheckpointKeeper keeper;
  private final BiConsumer<Run, RunStatus> atEnd;
  private final Counters counters = new Counters();
  private final CompletableFuture<RunStatus> ended = new CompletableFuture<>();
  private final long totalBytes;
  private final long deadlineNanos;

  /** What is applied to the rows; known for good once the types are inferred. */
  private List<Transform> transforms;

  private final Object lock = new Object();
  private RunState state = RunState.STARTING;
  private boolean allRead;
  private boolean stopAsked;
  private boolean dropping;
  private @Nullable Run looking;
  private @Nullable Attempt attempt;
  private @Nullable Problem error;
  private @Nullable Stage errorStage;
  private @Nullable Destination destination;
  private final List<String> warnings = new ArrayList<>();

  private final Oddities repaired =
      new Oddities("rows with more or fewer fields than columns that were fitted (`on_ragged`)");
  private final Oddities skipped = new Oddities("rows that were left out (`on_reject`)");

  /**
   * @param store keeps the checkpoint if the sink does not
   * @param atEnd called once with the last status, before anybody else is told of it
   */
  Run(
      String name,
      Plan plan,
      Access access,
      Buffers buffers,
      @Nullable CheckpointStore store,
      BiConsumer<Run, RunStatus> atEnd) {
    this.name = name;
    this.plan = plan;
    this.access = access;
    this.buffers = buffers;
    this.atEnd = atEnd;
    this.keeper =
        new CheckpointKeeper(
            plan.checkpointId(),
            plan.source(),
            plan.endless(),
            plan.commitMode() == CommitMode.WITH_CHECKPOINT,
            store);
    this.transforms = plan.transforms();
    this.totalBytes = plan.source().sizeBytes();
    long maxRuntime = TimeUnit.MILLISECONDS.toNanos(plan.spec().options().maxRuntimeMs());
    this.deadlineNanos = maxRuntime == 0 ? 0 : access.nanoTime() + maxRuntime;
  }

  void start() {
    thread("writer", this::runAndEnd).start();
  }

  /** Runs to the end on the calling thread. */
  void runHere() {
    runAndEnd();
  }

  Thread thread(String role, Runnable task) {
    return Thread.ofPlatform().daemon().name("drover-" + name + "-" + role).unstarted(task);
  }

  public String name() {
    return name;
  }

  public RouteSpec spec() {
    return plan.spec();
  }

  Plan plan() {
    return plan;
  }

  /** Known once an attempt begins. */
  List<Transform> transforms() {
    return transforms;
  }

  Access access() {
    return access;
  }

  Buffers buffers() {
    return buffers;
  }

  Oddities repaired() {
    return repaired;
  }

  Oddities skipped() {
    return skipped;
  }

  Counters counters() {
    return counters;
  }

  CheckpointKeeper keeper() {
    return keeper;
  }

  /** How long the route gives a run to end once it is stopped. */
  public Duration stopTimeout() {
    return Duration.ofMillis(plan.spec().options().stopTimeoutMs());
  }

  /** A picture of this instant; never blocks for long. */
  public RunStatus status() {
    synchronized (lock) {
      return status(state);
    }
  }

  private RunStatus status(RunState shown) {
    synchronized (lock) {
      Counters.Snapshot numbers = counters.snapshot(access.nanoTime());
      return new RunStatus(
          name,
          shown,
          numbers.messages(),
          numbers.committed(),
          numbers.rejected(),
          numbers.retried(),
          numbers.deadLettered(),
          numbers.filtered(),
          numbers.bytesIn(),
          numbers.bytesOut(),
          totalBytes,
          numbers.elapsedNanos(),
          numbers.messagesPerSecond(),
          plan.guarantee(),
          plan.checkpointId(),
          keeper.resumed(),
          error,
          errorStage == null ? null : errorStage.wire(),
          destination,
          Oddities.behind(warnings, repaired, skipped));
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
      ended.get(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Stops the run; one that has read everything still completes under {@link StopMode#DRAIN}. What
   * is written is committed at once, then what was read is drained; what could not be drained in
   * time is dropped, and comes again when the run is resumed. A sink that shows nothing before the
   * end is left as it was.
   *
   * @return whether the run has ended within the time
   */
  public boolean stop(StopMode mode, Duration atMost) throws InterruptedException {
    if (mode == StopMode.NOW) {
      drop();
      return await(atMost);
    }
    askToStop();
    Duration half = atMost.dividedBy(2);
    Duration forDropping = half.compareTo(DROP_TIME) < 0 ? half : DROP_TIME;
    if (await(atMost.minus(forDropping)) || atMost.isZero()) {
      return isEnded();
    }
    drop();
    return await(forDropping);
  }

  private boolean isEnded() {
    synchronized (lock) {
      return state.isFinal();
    }
  }

  /** Reads no more and drains; returns at once. */
  void askToStop() {
    Attempt current;
    synchronized (lock) {
      if (state.isFinal()) {
        return;
      }
      stopAsked |= !allRead;
      // Draining into what will not be shown serves nobody.
      dropping |= stopAsked && plan.commitMode() == CommitMode.AT_END;
      current = attempt;
      stopLooking();
      lock.notifyAll();
    }
    if (current != null) {
      current.stop(isDropping());
    }
  }

  /** Commits what is answered without waiting for the interval; the run goes on. */
  void commitSoon() {
    Attempt current;
    synchronized (lock) {
      current = attempt;
    }
    if (current != null) {
      current.commitSoon();
    }
  }

  private void drop() {
    Attempt current;
    synchronized (lock) {
      if (state.isFinal()) {
        return;
      }
      stopAsked = true;
      dropping = true;
      current = attempt;
      stopLooking();
      lock.notifyAll();
    }
    if (current != null) {
      current.stop(true);
    }
  }

  private void stopLooking() {
    if (looking != null) {
      looking.drop();
    }
  }

  boolean isDropping() {
    synchronized (lock) {
      return dropping;
    }
  }

  boolean isStopped() {
    synchronized (lock) {
      return stopAsked;
    }
  }

  /** Called now and then by the writer thread. */
  void checkRuntime() {
    if (deadlineNanos != 0 && access.nanoTime() - deadlineNanos >= 0 && !isStopped()) {
      warn("stopped after max_runtime_ms (%d)".formatted(spec().options().maxRuntimeMs()));
      askToStop();
    }
  }

  private void runAndEnd() {
    RunState outcome;
    try {
      outcome = execute();
    } catch (Throwable e) {
      outcome = failed(Stage.WRITE, e);
    }
    counters.end(access.nanoTime());
    try {
      // Before anybody can know of the end: what was told is remembered.
      atEnd.accept(this, status(outcome));
    } catch (RuntimeException e) {
      log().warn("route {}: the end could not be recorded", name, e);
    }
    synchronized (lock) {
      state = outcome;
    }
    ended.complete(status());
  }

  /** Tries, and tries again from the checkpoint when the sink has lost what was not committed. */
  private RunState execute() throws InterruptedException {
    RetryPolicy retry = spec().retry();
    int failures = 0;
    long delivered = 0;
    try (keeper) {
      if (!infer()) {
        return isDropping() || isStopped() ? RunState.STOPPED : RunState.FAILED;
      }
      while (true) {
        try {
          return attempt();
        } catch (StageFailure e) {
          if (isDropping()) {
            return RunState.STOPPED;
          }
          long now = counters.snapshot(access.nanoTime()).messages();
          failures = now > delivered ? 1 : failures + 1;
          delivered = now;
          if (!mayTryAgain(e) || failures >= retry.maxAttempts()) {
            return failed(e);
          }
          log().warn("route {}: trying again: {}", name, e.getMessage());
          if (!pause(retry.pauseNanos(failures, ThreadLocalRandom.current()))) {
            return failed(e);
          }
        }
      }
    }
  }

  /** Reads the rows once to find out their types; false if that did not come to its end. */
  private boolean infer() {
    for (int i = 0; i < transforms.size(); i++) {
      if (!(transforms.get(i) instanceof Infer infer)) {
        continue;
      }
      Profile profile = new Profile();
      Run run = looking(profile, transforms.subList(0, i), plan.endless() ? infer.rows() : 0);
      synchronized (lock) {
        looking = run;
        if (stopAsked) {
          return false;
        }
      }
      run.runHere();
      RunStatus status = run.status();
      synchronized (lock) {
        looking = null;
        if (status.state() == RunState.FAILED) {
          error = run.error;
          errorStage = run.errorStage;
        }
      }
      if (status.state() != RunState.COMPLETED) {
        return false;
      }
      List<Transform> known = new ArrayList<>(transforms);
      known.set(i, profile.cast());
      transforms = known;
    }
    return true;
  }

  /**
   * A run that only looks at the rows.
   *
   * @param limitRows how many of them; 0: all
   */
  Run looking(Profile profile, List<Transform> before, long limitRows) {
    Plan toLook = Inference.plan(plan, profile, before, limitRows);
    return new Run(name, toLook, access, buffers, null, (run, status) -> {});
  }

  /** What was not committed can be had again, or nothing was read yet. */
  private boolean mayTryAgain(StageFailure e) {
    boolean canReplay = plan.commitMode() == CommitMode.WITH_CHECKPOINT && plan.mode().resumable();
    boolean nothingRead = counters.snapshot(access.nanoTime()).bytesIn() == 0;
    return e.mayPass()
        && (e.stage() == Stage.WRITE || e.stage() == Stage.COMMIT)
        && (canReplay || nothingRead);
  }

  /** False if the run was stopped meanwhile. */
  private boolean pause(long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    synchronized (lock) {
      long left;
      while (!stopAsked && (left = until - System.nanoTime()) > 0) {
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
      return !stopAsked;
    }
  }

  private RunState attempt() throws StageFailure, InterruptedException {
    SinkWriter writer;
    try {
      boolean resume = keeper.open();
      writer = plan.sink().writer(new Attempt.Scope(this, resume));
    } catch (RuntimeException | Error e) {
      throw new StageFailure(Stage.WRITE, e);
    }
    RunState outcome = RunState.FAILED;
    Attempt current = null;
    try {
      Map<Split, Reached> from;
      DeadLetters letters;
      try {
        from = keeper.restore(writer);
        // Only now it is known what became of the last commit.
        counters.replayAfter(keeper.rows(), keeper.rejected());
        letters = deadLetters();
      } catch (RuntimeException | Error e) {
        throw new StageFailure(Stage.WRITE, e);
      }
      current = new Attempt(this, writer, letters, from);
      begin(current);
      outcome = current.run();
      return outcome;
    } finally {
      if (current != null) {
        current.shutDown();
      }
      if (outcome != RunState.COMPLETED) {
        abort(writer);
      }
      // Not before the sink has let go of what it was writing.
      if (current != null) {
        current.release(outcome == RunState.COMPLETED);
      }
    }
  }

  private @Nullable DeadLetters deadLetters() {
    Sink sink = plan.deadLetter();
    if (sink == null) {
      return null;
    }
    DeadLetters letters = new DeadLetters(sink.writer(new Attempt.Scope(this, false)));
    letters.open();
    return letters;
  }

  private void begin(Attempt current) {
    boolean stopped;
    boolean drop;
    synchronized (lock) {
      attempt = current;
      allRead = false;
      state = stopAsked ? RunState.DRAINING : RunState.RUNNING;
      stopped = stopAsked;
      drop = dropping;
    }
    if (stopped) {
      current.stop(drop);
    }
  }

  void readingEnded() {
    synchronized (lock) {
      allRead = !stopAsked;
      state = RunState.DRAINING;
    }
  }

  void limitReached() {
    synchronized (lock) {
      allRead = !stopAsked;
    }
  }

  void finishedAt(@Nullable Destination where) {
    synchronized (lock) {
      destination = where;
    }
  }

  private void abort(SinkWriter writer) {
    try {
      writer.abort();
    } catch (RuntimeException e) {
      log().warn("route {}: cleaning up failed", name, e);
      warn("cleaning up failed: " + problem(e).message());
    }
  }

  private RunState failed(StageFailure e) {
    Problem problem = e.problem();
    Throwable cause = e.getCause();
    return problem != null
        ? failed(e.stage(), problem)
        : failed(e.stage(), cause == null ? e : cause);
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
    while (e instanceof CompletionException && e.getCause() != null) {
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

  void warn(String text) {
    synchronized (lock) {
      if (warnings.size() < MAX_WARNINGS && !warnings.contains(text)) {
        warnings.add(text);
      }
    }
  }

  /**
   * Made when there is something to say: a logging system takes longer to start than a small run.
   */
  private static Logger log() {
    return LoggerFactory.getLogger(Run.class);
  }
}
