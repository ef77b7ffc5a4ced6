package dev.drover.runtime;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.spi.Access;
import dev.drover.spi.Buffers;
import dev.drover.spi.CommitMode;
import dev.drover.spi.DroverException;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One go at a run, from the checkpoint on: its threads and what they share. */
final class Attempt {

  /** How long threads that must end at once get before they are interrupted. */
  private static final Duration GRACE = Duration.ofMillis(200);

  private final Run run;
  private final SinkWriter writer;
  private final @Nullable DeadLetters letters;
  private final Ring ring;
  private final ReadTask reading;
  private final WriteTask writing;
  private final List<Thread> threads = new ArrayList<>();

  /**
   * @param writer has been opened
   * @param letters null unless refused rows are stored
   * @param from where the splits begin
   */
  Attempt(Run run, SinkWriter writer, @Nullable DeadLetters letters, Map<Split, Reached> from) {
    this.run = run;
    this.writer = writer;
    this.letters = letters;
    RouteSpec spec = run.spec();
    // A row limit is only exact with one worker: it sees all rows in order.
    int workers = spec.limitRows() > 0 ? 1 : spec.options().workers();
    ring = new Ring(4 + 3 * workers, spec.options().maxInFlightBytes());
    reading =
        new ReadTask(
            run.plan().source(),
            from,
            ring,
            run.counters(),
            run.access(),
            run.buffers(),
            spec,
            !run.plan().endless(),
            run::warn,
            run::readingEnded);
    DecodeTask.Encoders encoders = new DecodeTask.Encoders();
    threads.add(run.thread("reader", reading));
    long limit = spec.limitRows() > 0 ? spec.limitRows() : Long.MAX_VALUE;
    for (int i = 1; i <= workers; i++) {
      DecodeTask task =
          new DecodeTask(
              ring,
              encoders,
              run.transforms(),
              Rejects.of(spec.options()),
              limit,
              this::limitReached);
      threads.add(run.thread("worker-" + i, task));
    }
    writing =
        new WriteTask(
            new WriteTask.Parts(
                writer,
                run.plan().commitMode(),
                run.keeper(),
                ring,
                encoders,
                run.counters(),
                letters,
                run.repaired(),
                run.skipped(),
                spec.options(),
                spec.retry(),
                run.access()::nanoTime,
                reading::committed,
                run::checkRuntime),
            from);
  }

  /** Moves rows until the source's end or a stop. */
  RunState run() throws StageFailure, InterruptedException {
    threads.forEach(Thread::start);
    writing.writeAll();
    boolean stopped = run.isStopped();
    if (run.isDropping() || (stopped && run.plan().commitMode() == CommitMode.AT_END)) {
      return RunState.STOPPED;
    }
    writing.commit();
    if (stopped) {
      return RunState.STOPPED;
    }
    try {
      run.finishedAt(writer.finish());
    } catch (RuntimeException | Error e) {
      throw new StageFailure(Stage.COMMIT, e);
    }
    try {
      run.keeper().forget();
    } catch (DroverException e) {
      run.warn("the checkpoint could not be removed: " + e.getMessage());
    }
    return RunState.COMPLETED;
  }

  /**
   * Any thread: reads no more.
   *
   * @param drop whether what was read is left lying
   */
  void stop(boolean drop) {
    if (drop) {
      ring.close();
    }
    reading.stop();
    writing.commitSoon();
  }

  /** Any thread: commits what is answered as soon as may be. */
  void commitSoon() {
    writing.commitSoon();
  }

  private void limitReached() {
    run.limitReached();
    reading.stop();
  }

  /** Ends all threads but the calling one, which is the writer's. */
  void shutDown() {
    ring.close();
    reading.close();
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        if (!thread.join(GRACE)) {
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

  /** After the sink was closed: gives back what was in flight. */
  void release(boolean completed) {
    ring.releaseAll();
    if (letters != null) {
      if (completed) {
        letters.finish();
      } else {
        letters.abort();
      }
    }
  }

  /** What a writer of the run may ask. */
  record Scope(Run run, boolean resume) implements WriterScope {
    @Override
    public Access access() {
      return run.access();
    }

    @Override
    public Buffers buffers() {
      return run.buffers();
    }

    @Override
    public String checkpointId() {
      return run.keeper().id();
    }

    @Override
    public String source() {
      return run.plan().source().description();
    }
  }
}
