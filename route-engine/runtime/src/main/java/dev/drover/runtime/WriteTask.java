package dev.drover.runtime;

import dev.drover.runtime.Ring.Slot;
import dev.drover.spi.Chunk;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.Written;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The writing loop of a run: takes slots in order, writes and commits. Lives on the run's writer
 * thread; only answers of the sink come from other threads.
 */
final class WriteTask {

  /** How often to commit where the sink shows rows at each commit. */
  static final long COMMIT_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

  /** How much may be answered but not committed. */
  static final long MAX_UNCOMMITTED_BYTES = 64L << 20;

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Ends the loop: what went wrong, and where. */
  static final class WriteFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final Stage stage;
    private final transient @Nullable Problem problem;

    private WriteFailure(Stage stage, Throwable cause) {
      super(cause);
      this.stage = stage;
      this.problem = null;
    }

    private WriteFailure(Stage stage, Problem problem) {
      super(problem.message());
      this.stage = stage;
      this.problem = problem;
    }

    Stage stage() {
      return stage;
    }

    /** The finding if there is one; else the cause says more. */
    @Nullable Problem problem() {
      return problem;
    }
  }

  /** The place in a split after the slots so far. */
  private static final class Place {
    long records;
    long lines;
  }

  private final SinkWriter writer;
  private final Ring ring;
  private final DecodeTask.Encoders encoders;
  private final Counters counters;
  private final LongSupplier nanoTime;
  private final boolean commitsByInterval;
  private final Consumer<Map<Split, Offset>> committed;
  private final Map<Split, Place> places = new HashMap<>();

  private final Object answers = new Object();
  private final AckedPrefix prefix = new AckedPrefix();
  private int unanswered;
  private @Nullable Throwable writeError;

  private long lastCommitNanos;
  private long uncommittedBytes;
  private long uncommittedRows;

  WriteTask(
      SinkWriter writer,
      Ring ring,
      DecodeTask.Encoders encoders,
      Counters counters,
      LongSupplier nanoTime,
      boolean commitsByInterval,
      Consumer<Map<Split, Offset>> committed) {
    this.writer = writer;
    this.ring = ring;
    this.encoders = encoders;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.commitsByInterval = commitsByInterval;
    this.committed = committed;
    this.lastCommitNanos = nanoTime.getAsLong();
  }

  /** Writes until all that was read is with the sink, or the ring is closed. */
  void writeAll() throws WriteFailure, InterruptedException {
    while (!ring.drained()) {
      Slot slot = ring.awaitHead(IDLE_NANOS);
      Schema wanted = slot == null ? null : slot.wanted();
      if (slot != null && wanted != null) {
        Encoder encoder = guarded(Stage.ENCODE, () -> writer.encoder(wanted));
        encoders.put(wanted, encoder);
        ring.answerEncoder(slot, encoder);
      } else if (slot != null) {
        write(slot);
      }
      if (commitsByInterval) {
        commitIfDue();
      }
    }
  }

  private void write(Slot slot) throws WriteFailure {
    Chunk chunk = slot.chunk;
    if (chunk != null) {
      InFlight inFlight = new InFlight(slot, chunk);
      for (Encoded rows : slot.encoded) {
        long bytes = rows.bytes();
        int count = rows.rows();
        CompletionStage<Written> answer = guarded(Stage.WRITE, () -> writer.write(rows));
        inFlight.sent();
        answer.whenComplete((written, error) -> inFlight.answered(count, bytes, written, error));
        uncommittedBytes += bytes;
        uncommittedRows += count;
      }
      checkFailure(slot);
      Place place = places.computeIfAbsent(chunk.split(), split -> new Place());
      place.records += slot.records;
      place.lines += slot.lines;
      ring.advance();
      inFlight.allSent();
    } else {
      checkFailure(slot);
    }
    checkAnswers();
  }

  private void checkFailure(Slot slot) throws WriteFailure {
    Stage stage = slot.stage == null ? Stage.DECODE : slot.stage;
    if (slot.rejected != null && slot.chunk != null) {
      counters.rejected(1);
      throw new WriteFailure(stage, refused(slot.chunk.split(), slot.rejected));
    }
    if (slot.failure != null) {
      throw new WriteFailure(stage, slot.failure);
    }
  }

  /** A slot whose rows are with the sink. */
  private final class InFlight {
    private final Slot slot;
    private final Chunk chunk;
    private final AckedPrefix.Entry entry;
    private int open = 1;

    InFlight(Slot slot, Chunk chunk) {
      this.slot = slot;
      this.chunk = chunk;
      synchronized (answers) {
        entry = prefix.add(chunk.split(), chunk.end(), slot.rows);
        unanswered++;
      }
    }

    void sent() {
      synchronized (answers) {
        open++;
      }
    }

    void answered(int rows, long bytes, @Nullable Written written, @Nullable Throwable error) {
      synchronized (answers) {
        if (error != null) {
          writeError = writeError == null ? error : writeError;
        } else if (written != null) {
          RejectedRow first = written.rejected().isEmpty() ? null : written.rejected().getFirst();
          counters.answered(rows - written.rejected().size(), bytes, nanoTime.getAsLong());
          if (first != null) {
            counters.rejected(written.rejected().size());
            writeError = writeError == null ? new RowRefused(chunk.split(), first) : writeError;
          }
        }
        closeOne();
      }
    }

    void allSent() {
      synchronized (answers) {
        closeOne();
      }
    }

    private void closeOne() {
      open--;
      if (open == 0) {
        if (writeError == null) {
          prefix.answered(entry);
        }
        unanswered--;
        int bytes = chunk.bytes();
        slot.release();
        ring.released(bytes);
        answers.notifyAll();
      }
    }
  }

  /** A row that the sink refused, on its way to the writer thread. */
  private static final class RowRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Split split;
    private final transient RejectedRow row;

    RowRefused(Split split, RejectedRow row) {
      super(row.message());
      this.split = split;
      this.row = row;
    }
  }

  private void checkAnswers() throws WriteFailure {
    Throwable error;
    synchronized (answers) {
      error = writeError;
    }
    if (error instanceof RowRefused refused) {
      throw new WriteFailure(Stage.WRITE, refused(refused.split, refused.row));
    }
    if (error != null) {
      throw new WriteFailure(Stage.WRITE, error);
    }
  }

  private void awaitAnswers() throws WriteFailure, InterruptedException {
    synchronized (answers) {
      while (unanswered > 0 && writeError == null) {
        answers.wait();
      }
    }
    checkAnswers();
  }

  private void commitIfDue() throws WriteFailure, InterruptedException {
    long now = nanoTime.getAsLong();
    boolean due =
        uncommittedBytes >= MAX_UNCOMMITTED_BYTES
            || (uncommittedRows > 0 && now - lastCommitNanos >= COMMIT_INTERVAL_NANOS);
    if (due) {
      commit();
    }
  }

  /** Waits for the answers and commits all that was written. */
  void commit() throws WriteFailure, InterruptedException {
    awaitAnswers();
    Map<Split, Offset> upTo;
    long rows;
    synchronized (answers) {
      upTo = prefix.offsets();
      rows = prefix.rows();
    }
    guarded(
        Stage.COMMIT,
        () -> {
          writer.commit(upTo);
          return upTo;
        });
    counters.committed(rows);
    committed.accept(upTo);
    lastCommitNanos = nanoTime.getAsLong();
    uncommittedBytes = 0;
    uncommittedRows = 0;
  }

  private interface Call<T> {
    T call();
  }

  private static <T> T guarded(Stage stage, Call<T> call) throws WriteFailure {
    try {
      return call.call();
    } catch (RuntimeException | Error e) {
      throw new WriteFailure(stage, e);
    }
  }

  /** The error that a rejected row becomes, with its place in the whole split. */
  private Problem refused(Split split, RejectedRow row) {
    Place place = places.getOrDefault(split, new Place());
    StringBuilder text = new StringBuilder(split.id());
    if (row.line() > 0) {
      text.append(": line ").append(place.lines + row.line());
    }
    if (row.column() > 0) {
      text.append(", column ").append(row.column());
    }
    if (row.line() <= 0 && row.record() > 0) {
      text.append(": record ").append(place.records + row.record());
    }
    text.append(": ").append(row.message());
    ErrorCode code = row.code();
    return new Problem(code, "", text.toString());
  }
}
