package dev.drover.runtime;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.runtime.DeadLetters.Letter;
import dev.drover.runtime.Ring.Slot;
import dev.drover.spi.Chunk;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The writing loop of a run: takes slots in order, writes and commits. Lives on the run's writer
 * thread.
 *
 * <p>Between two slots everything that was handed to the sink is covered by the offsets, so only
 * there may a commit be: a sink that keeps the checkpoint stores the rows and the offsets together.
 */
final class WriteTask {

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * What a writing loop works with.
   *
   * @param deadLetters null unless refused rows are stored
   * @param repaired is told which rows were repaired
   * @param skipped is told which rows were left out without being stored
   * @param committed is told what each commit covers
   * @param clockCheck called now and then
   */
  record Parts(
      SinkWriter writer,
      CommitMode commitMode,
      CheckpointKeeper keeper,
      Ring ring,
      DecodeTask.Encoders encoders,
      Counters counters,
      @Nullable DeadLetters deadLetters,
      Oddities repaired,
      Oddities skipped,
      RouteOptions options,
      RetryPolicy retry,
      LongSupplier nanoTime,
      Consumer<Map<Split, Offset>> committed,
      Runnable clockCheck) {}

  private final Parts parts;
  private final Ring ring;
  private final Counters counters;
  private final LongSupplier nanoTime;
  private final Rejects rejects;
  private final Pace pace;
  private final Map<Split, Reached> places;
  private final Answers answers;
  private final long rowsBefore;
  private final long rejectedBefore;

  private volatile boolean commitSoon;
  private long lastCommitNanos;
  private long seenRows;
  private long uncommittedBytes;
  private boolean uncommitted;

  /**
   * @param from where the splits begin
   */
  WriteTask(Parts parts, Map<Split, Reached> from) {
    this.parts = parts;
    this.ring = parts.ring();
    this.counters = parts.counters();
    this.nanoTime = parts.nanoTime();
    this.rejects = Rejects.of(parts.options());
    this.pace =
        new Pace(parts.options().limitRowsPerSecond(), parts.options().limitBytesPerSecond());
    this.places = new HashMap<>(from);
    this.answers = new Answers(parts, new AckedPrefix(from));
    this.rowsBefore = parts.keeper().rows();
    this.rejectedBefore = parts.keeper().rejected();
    this.seenRows = rowsBefore + rejectedBefore;
    this.lastCommitNanos = nanoTime.getAsLong();
  }

  /** Any thread: commit as soon as what was written is answered. */
  void commitSoon() {
    // What is seen at the end only has nothing to commit before.
    commitSoon = parts.commitMode() != CommitMode.AT_END;
    ring.wake();
  }

  /** Writes until all that was read is with the sink, or the ring is closed. */
  void writeAll() throws StageFailure, InterruptedException {
    while (!ring.drained()) {
      parts.clockCheck().run();
      Slot slot = ring.awaitHead(IDLE_NANOS);
      Schema wanted = slot == null ? null : slot.wanted();
      if (slot != null && wanted != null) {
        Encoder encoder = guarded(Stage.ENCODE, () -> parts.writer().encoder(wanted));
        parts.encoders().put(wanted, encoder);
        ring.answerEncoder(slot, encoder);
      } else if (slot != null) {
        write(slot);
      }
      answers.mend();
      storeRefused();
      if (parts.commitMode() != CommitMode.AT_END) {
        commitIfDue();
      }
    }
  }

  private void write(Slot slot) throws StageFailure, InterruptedException {
    Chunk chunk = slot.chunk;
    if (chunk == null) {
      checkFailure(slot);
      return;
    }
    Reached before = places.get(chunk.split());
    long records = before == null ? 0 : before.records();
    long lines = before == null ? 0 : before.lines();
    Reached end = new Reached(chunk.end(), records + slot.records, lines + slot.lines);
    Answers.InFlight inFlight = answers.begin(slot, chunk, end, records, lines);
    int row = 0;
    for (Encoded rows : slot.encoded) {
      awaitPace();
      pace.rows(rows.rows(), nanoTime.getAsLong());
      uncommittedBytes += rows.bytes();
      uncommitted = true;
      answers.send(inFlight, rows, row);
      row += rows.rows();
    }
    seenRows += slot.rows;
    pace.bytes(chunk.bytes(), nanoTime.getAsLong());
    takeRejected(slot, chunk, inFlight);
    counters.filtered(slot.filtered);
    for (long line : slot.repaired) {
      parts.repaired().add(chunk.split().id(), inFlight.lines() + line, "");
    }
    checkFailure(slot);
    uncommitted |= !end.equals(before);
    places.put(chunk.split(), end);
    ring.advance();
    answers.allSent(inFlight);
  }

  /** Not while the run is to commit: what is left of the slot goes at once then. */
  private void awaitPace() throws InterruptedException {
    long left;
    while ((left = pace.nanosLeft(nanoTime.getAsLong())) > 0 && !commitSoon) {
      if (!ring.pause(left)) {
        return;
      }
    }
  }

  private void takeRejected(Slot slot, Chunk chunk, Answers.InFlight inFlight)
      throws StageFailure, InterruptedException {
    if (slot.rejected.isEmpty()) {
      return;
    }
    int count = slot.rejected.size();
    counters.rejected(count);
    seenRows += count;
    if (rejects.fail()) {
      Ring.Refused first = slot.rejected.getFirst();
      throw new StageFailure(
          first.stage(), refused(chunk.split(), first.row(), inFlight.records(), inFlight.lines()));
    }
    String offset = chunk.end().text();
    store(
        slot.rejected.stream()
            .map(
                refused -> {
                  RejectedRow row = refused.row();
                  long line = row.line() > 0 ? inFlight.lines() + row.line() : 0;
                  return new Letter(chunk.split(), offset, line, refused.stage(), 1, row);
                })
            .toList());
  }

  /** Rows that the sink has refused. */
  private void storeRefused() throws StageFailure, InterruptedException {
    for (Answers.Refused refused : answers.refused()) {
      Answers.InFlight inFlight = refused.inFlight();
      List<RejectedRow> rows = refused.rows();
      counters.rejected(rows.size());
      if (rejects.fail()) {
        throw new StageFailure(
            Stage.WRITE,
            refused(
                inFlight.split(),
                rows.getFirst(),
                inFlight.records() + refused.rowsBefore(),
                inFlight.lines()));
      }
      store(
          rows.stream()
              .map(
                  row ->
                      new Letter(
                          inFlight.split(),
                          inFlight.offset(),
                          row.line() > 0 ? inFlight.lines() + row.line() : 0,
                          Stage.WRITE,
                          refused.attempt(),
                          row))
              .toList());
      answers.stored(inFlight);
    }
  }

  private void store(List<Letter> letters) throws StageFailure, InterruptedException {
    DeadLetters deadLetters = parts.deadLetters();
    if (deadLetters != null) {
      retrying(
          Stage.DEAD_LETTER,
          () -> {
            deadLetters.store(letters);
            return letters;
          });
      counters.deadLettered(letters.size());
    } else {
      letters.forEach(
          letter ->
              parts.skipped().add(letter.split().id(), letter.line(), letter.row().code().wire()));
    }
    uncommitted = true;
    Problem tooMany = rejects.exceeded(counters.passed()[1], seenRows);
    if (tooMany != null) {
      throw new StageFailure(Stage.DECODE, tooMany);
    }
  }

  private static void checkFailure(Slot slot) throws StageFailure {
    if (slot.failure != null) {
      throw new StageFailure(slot.stage == null ? Stage.DECODE : slot.stage, slot.failure);
    }
  }

  private void commitIfDue() throws StageFailure, InterruptedException {
    long now = nanoTime.getAsLong();
    long interval = TimeUnit.MILLISECONDS.toNanos(parts.options().commitIntervalMs());
    boolean due =
        uncommittedBytes >= parts.options().maxUncommittedBytes()
            || (uncommitted && now - lastCommitNanos >= interval);
    if (due || commitSoon) {
      commitSoon = false;
      commit();
    }
  }

  /** Waits for the answers and commits all that was written. */
  void commit() throws StageFailure, InterruptedException {
    while (!answers.settle()) {
      storeRefused();
    }
    Map<Split, Reached> reached = answers.reached();
    long rows = rowsBefore + answers.rows();
    long rejected = Math.max(rejectedBefore, counters.passed()[1]);
    DeadLetters deadLetters = parts.deadLetters();
    if (deadLetters != null) {
      retrying(
          Stage.DEAD_LETTER,
          () -> {
            deadLetters.commit();
            return deadLetters;
          });
    }
    if (uncommitted || parts.commitMode() != CommitMode.WITH_CHECKPOINT) {
      commit(reached, rows, rejected);
    }
    counters.committed(rows);
    Map<Split, Offset> offsets = new HashMap<>();
    reached.forEach((split, place) -> offsets.put(split, place.offset()));
    parts.committed().accept(offsets);
    lastCommitNanos = nanoTime.getAsLong();
    uncommittedBytes = 0;
    uncommitted = false;
  }

  private void commit(Map<Split, Reached> reached, long rows, long rejected)
      throws StageFailure, InterruptedException {
    Call<Object> commit =
        () -> {
          parts.keeper().commit(parts.writer(), reached, rows, rejected);
          return reached;
        };
    if (parts.commitMode() == CommitMode.WITH_CHECKPOINT) {
      // Nobody knows what became of a commit that failed; the next writer will.
      guarded(Stage.COMMIT, commit);
    } else {
      retrying(Stage.COMMIT, commit);
    }
  }

  private interface Call<T> {
    T call();
  }

  private static <T> T guarded(Stage stage, Call<T> call) throws StageFailure {
    try {
      return call.call();
    } catch (RuntimeException | Error e) {
      throw new StageFailure(stage, e);
    }
  }

  /** For what may be done twice. */
  private void retrying(Stage stage, Call<?> call) throws StageFailure, InterruptedException {
    RetryPolicy retry = parts.retry();
    int failed = 0;
    while (true) {
      try {
        call.call();
        return;
      } catch (RuntimeException | Error e) {
        failed++;
        if (!RetryPolicy.mayPass(e) || failed >= retry.maxAttempts()) {
          throw new StageFailure(stage, e);
        }
        if (!ring.pause(retry.pauseNanos(failed, ThreadLocalRandom.current()))) {
          throw new StageFailure(stage, e);
        }
      }
    }
  }

  /** The error that a rejected row becomes, with its place in the whole split. */
  private static Problem refused(Split split, RejectedRow row, long records, long lines) {
    StringBuilder text = new StringBuilder(split.id());
    if (row.line() > 0) {
      text.append(": line ").append(lines + row.line());
    }
    if (row.column() > 0) {
      text.append(", column ").append(row.column());
    }
    if (row.line() <= 0 && row.record() > 0) {
      text.append(": record ").append(records + row.record());
    }
    text.append(": ").append(row.message());
    ErrorCode code = row.code();
    return new Problem(code, "", text.toString(), row.suggestion(), List.of());
  }
}
