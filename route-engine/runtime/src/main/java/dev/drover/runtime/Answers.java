package dev.drover.runtime;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.runtime.Ring.Slot;
import dev.drover.spi.Chunk;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Encoded;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Split;
import dev.drover.spi.Written;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What became of the rows that were handed to the sink. Methods are for the run's writer thread;
 * the answers themselves come on any.
 *
 * <p>A write that failed for a reason that may pass is sent again, it alone, after all others were
 * answered, in the order of the first time. A sink that keeps the checkpoint is not asked again:
 * the run goes back to what was committed instead. A sink that shows all rows at the end is not
 * asked again once it has taken rows that come after those: they would be out of order for good.
 */
final class Answers {

  /** A slot whose rows are with the sink. */
  static final class InFlight {
    private final Slot slot;
    private final Chunk chunk;
    private final AckedPrefix.Entry entry;
    private final long records;
    private final long lines;

    private InFlight(Slot slot, Chunk chunk, AckedPrefix.Entry entry, long records, long lines) {
      this.slot = slot;
      this.chunk = chunk;
      this.entry = entry;
      this.records = records;
      this.lines = lines;
    }

    Split split() {
      return chunk.split();
    }

    String offset() {
      return chunk.end().text();
    }

    /** Records of the split before the chunk. */
    long records() {
      return records;
    }

    /** Line ends of the split before the chunk. */
    long lines() {
      return lines;
    }
  }

  /**
   * Rows that the sink refused. The chunk stays open until {@link #stored}.
   *
   * @param rowsBefore rows of the chunk that were written before those of this write
   */
  record Refused(InFlight inFlight, List<RejectedRow> rows, int rowsBefore, int attempt) {}

  private record Sent(InFlight inFlight, Encoded rows, int rowsBefore, long number, int attempt) {}

  /** How often to see whether the run was stopped while a sink does not answer. */
  private static final long CLOSED_CHECK_MILLIS = 50;

  private final WriteTask.Parts parts;
  private final boolean resend;

  // Guarded by this.
  private final AckedPrefix prefix;
  private final List<Sent> failed = new ArrayList<>();
  private List<Refused> refused = new ArrayList<>();
  private int outstanding;
  private @Nullable Throwable error;
  private @Nullable Throwable lastFailure;

  // The writer thread's own.
  private long sent;
  private int failures;

  Answers(WriteTask.Parts parts, AckedPrefix prefix) {
    this.parts = parts;
    this.prefix = prefix;
    this.resend = parts.commitMode() != CommitMode.WITH_CHECKPOINT;
  }

  /** The next chunk; its rows follow. */
  synchronized InFlight begin(Slot slot, Chunk chunk, Reached end, long records, long lines) {
    return new InFlight(slot, chunk, prefix.add(chunk.split(), end, slot.rows), records, lines);
  }

  /** Hands rows of a chunk to the sink; not before what has failed is mended, for the order. */
  void send(InFlight inFlight, Encoded rows, int rowsBefore)
      throws StageFailure, InterruptedException {
    mend();
    synchronized (this) {
      prefix.sent(inFlight.entry);
    }
    send(new Sent(inFlight, rows, rowsBefore, sent++, 1));
  }

  private void send(Sent write) throws StageFailure {
    synchronized (this) {
      outstanding++;
    }
    int rows = write.rows().rows();
    long bytes = write.rows().bytes();
    CompletionStage<Written> answer;
    try {
      answer = parts.writer().write(write.rows());
    } catch (RuntimeException | Error e) {
      answered(write, rows, bytes, null, e);
      return;
    }
    answer.whenComplete((written, failure) -> answered(write, rows, bytes, written, failure));
  }

  private synchronized void answered(
      Sent write, int rows, long bytes, @Nullable Written written, @Nullable Throwable failure) {
    outstanding--;
    if (failure != null && resend && RetryPolicy.mayPass(failure)) {
      failed.add(write);
      lastFailure = failure;
    } else if (failure != null) {
      error = error == null ? failure : error;
    } else if (written != null) {
      List<RejectedRow> not = written.rejected();
      parts.counters().answered(rows - not.size(), bytes, parts.nanoTime().getAsLong());
      if (not.isEmpty()) {
        close(write.inFlight(), prefix.answered(write.inFlight().entry));
      } else {
        refused.add(new Refused(write.inFlight(), not, write.rowsBefore(), write.attempt()));
      }
    }
    notifyAll();
  }

  private void close(InFlight inFlight, boolean done) {
    if (done) {
      int bytes = inFlight.chunk.bytes();
      inFlight.slot.release();
      parts.ring().released(bytes);
    }
  }

  /** All rows of the chunk were sent, and its refused ones stored. */
  synchronized void allSent(InFlight inFlight) {
    close(inFlight, prefix.allSent(inFlight.entry));
  }

  /** What the sink refused since the last call. */
  synchronized List<Refused> refused() {
    List<Refused> taken = refused;
    refused = new ArrayList<>();
    return taken;
  }

  /** What the sink refused of a write is taken care of. */
  synchronized void stored(InFlight inFlight) {
    close(inFlight, prefix.answered(inFlight.entry));
  }

  private void check() throws StageFailure {
    Throwable found;
    synchronized (this) {
      found = error;
    }
    if (found != null) {
      throw new StageFailure(Stage.WRITE, found);
    }
  }

  /** Sends again what has failed, until it is answered. If nothing has failed it does not wait. */
  void mend() throws StageFailure, InterruptedException {
    check();
    while (true) {
      synchronized (this) {
        if (failed.isEmpty()) {
          failures = 0;
          return;
        }
      }
      await();
      resend();
      await();
    }
  }

  /**
   * Waits until everything that was sent is answered, mending what fails.
   *
   * @return false if the sink has refused rows that must be taken care of first
   */
  boolean settle() throws StageFailure, InterruptedException {
    mend();
    while (true) {
      await();
      mend();
      synchronized (this) {
        if (outstanding == 0 && failed.isEmpty()) {
          return refused.isEmpty();
        }
      }
    }
  }

  private void await() throws StageFailure, InterruptedException {
    synchronized (this) {
      while (outstanding > 0 && error == null) {
        wait(CLOSED_CHECK_MILLIS);
        if (parts.ring().closed()) {
          throw new StageFailure(Stage.WRITE, new CancellationException("the run was stopped"));
        }
      }
    }
    check();
  }

  private void resend() throws StageFailure, InterruptedException {
    List<Sent> again;
    Throwable why;
    synchronized (this) {
      again = new ArrayList<>(failed);
      failed.clear();
      why = lastFailure;
    }
    failures++;
    boolean goOn =
        failures < parts.retry().maxAttempts()
            && parts.ring().pause(parts.retry().pauseNanos(failures, ThreadLocalRandom.current()));
    if (!goOn) {
      throw new StageFailure(Stage.WRITE, why == null ? new IllegalStateException() : why);
    }
    again.sort(Comparator.comparingLong(Sent::number));
    boolean overtaken = again.getFirst().number() + again.size() != sent;
    if (overtaken && parts.commitMode() == CommitMode.AT_END) {
      throw new StageFailure(Stage.WRITE, why == null ? new IllegalStateException() : why);
    }
    for (Sent write : again) {
      parts.counters().retried(write.rows().rows());
      send(
          new Sent(
              write.inFlight(),
              write.rows(),
              write.rowsBefore(),
              write.number(),
              write.attempt() + 1));
    }
  }

  synchronized Map<Split, Reached> reached() {
    return prefix.reached();
  }

  synchronized long rows() {
    return prefix.rows();
  }
}
