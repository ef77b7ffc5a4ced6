package dev.drover.runtime;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Progress;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Source;
import dev.drover.spi.Split;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows what a run has committed, and keeps its checkpoint where it belongs: with the sink if that
 * stores it with the rows, else in the store, if the run has one at all. Used by the run's writer
 * thread.
 */
final class CheckpointKeeper implements AutoCloseable {

  /** What a commit covers. */
  private record Commit(Map<Split, String> stored, long rows, long rejected) {}

  private final String id;
  private final Source source;
  private final boolean endless;
  private final boolean withSink;
  private final @Nullable CheckpointStore store;
  private final Map<Split, String> fingerprints = new HashMap<>();

  private CheckpointStore.@Nullable Hold hold;
  private @Nullable Checkpoint checkpoint;
  private boolean restored;
  private boolean resumed;
  private Commit last = new Commit(Map.of(), 0, 0);
  private @Nullable Commit inDoubt;

  /**
   * @param id names the checkpoint; empty if the run has none
   * @param withSink whether the sink stores it
   * @param store keeps it otherwise; null if nobody does
   */
  CheckpointKeeper(
      String id,
      Source source,
      boolean endless,
      boolean withSink,
      @Nullable CheckpointStore store) {
    this.id = id;
    this.source = source;
    this.endless = endless;
    this.withSink = withSink;
    this.store = id.isEmpty() || withSink ? null : store;
  }

  String id() {
    return id;
  }

  /**
   * Before the sink is opened: claims the stored checkpoint.
   *
   * @return whether the sink may go on from what an earlier run has left
   */
  boolean open() {
    if (!id.isEmpty() && !endless && fingerprints.isEmpty()) {
      for (Split split : source.splits()) {
        fingerprints.put(split, source.fingerprint(split));
      }
    }
    if (store == null) {
      return withSink;
    }
    if (hold == null) {
      hold = store.hold(id);
    }
    Checkpoint found = store.load(id);
    checkpoint =
        found == null
            ? new Checkpoint(id, source.description(), 1, Map.of(), Map.of())
            : new Checkpoint(id, found.source(), found.epoch() + 1, found.splits(), Map.of());
    // From here on a restart knows that there is something to take up.
    store.save(checkpoint);
    return found != null;
  }

  /** Opens the sink's target, and tells where each split goes on. */
  Map<Split, Reached> restore(SinkWriter writer) {
    Map<Split, String> stored = writer.restore();
    Checkpoint kept = checkpoint;
    if (store != null && kept != null) {
      stored = kept.splits();
    }
    if (restored) {
      settle(stored);
    } else {
      resumed = !stored.isEmpty();
      last = new Commit(Map.copyOf(stored), 0, 0);
      restored = true;
    }
    Map<Split, Reached> from = new HashMap<>();
    for (Map.Entry<Split, String> entry : stored.entrySet()) {
      from.put(entry.getKey(), parse(entry.getKey(), entry.getValue()));
    }
    return from;
  }

  /** Whether rows of an earlier run are taken for delivered. */
  boolean resumed() {
    return resumed;
  }

  /** Finds out what became of the last commit, after a failure. */
  private void settle(Map<Split, String> stored) {
    Commit doubtful = inDoubt;
    if (doubtful != null && stored.equals(doubtful.stored())) {
      last = doubtful;
    } else if (!stored.equals(last.stored())) {
      throw new DroverException(
          new Problem(
              ErrorCode.FENCED,
              "",
              "the checkpoint " + id + " was moved by somebody else while this run was going on",
              "see that only one run of this route is going on, then start it again"));
    }
    inDoubt = null;
  }

  /** The rows and refused rows of this run that are committed for sure. */
  long rows() {
    return last.rows();
  }

  long rejected() {
    return last.rejected();
  }

  /**
   * Commits. After a failure it is open whether it was done: {@link #restore} finds out.
   *
   * @param rows rows of this run that are covered
   * @param rejected refused rows of this run that are covered
   */
  void commit(SinkWriter writer, Map<Split, Reached> reached, long rows, long rejected) {
    Map<Split, Progress> upTo = new HashMap<>();
    Map<Split, String> stored = new HashMap<>();
    for (Map.Entry<Split, Reached> entry : reached.entrySet()) {
      String text = text(entry.getKey(), entry.getValue());
      stored.put(entry.getKey(), text);
      upTo.put(entry.getKey(), new Progress(entry.getValue().offset(), text));
    }
    Commit commit = new Commit(Map.copyOf(stored), rows, rejected);
    inDoubt = commit;
    writer.commit(upTo);
    Checkpoint kept = checkpoint;
    if (store != null && kept != null) {
      checkpoint = kept.with(stored, Map.of());
      store.save(checkpoint);
    }
    last = commit;
    inDoubt = null;
  }

  /** The run has completed: there is nothing left to go on from. */
  void forget() {
    if (store != null) {
      store.remove(id);
    }
  }

  @Override
  public void close() {
    if (hold != null) {
      hold.close();
      hold = null;
    }
  }

  private String text(Split split, Reached reached) {
    return new StoredSplit(
            reached.records(),
            reached.lines(),
            fingerprints.getOrDefault(split, ""),
            reached.offset().text())
        .text();
  }

  private Reached parse(Split split, String stored) {
    StoredSplit parsed = StoredSplit.parse(stored);
    check(split, parsed.fingerprint());
    return new Reached(source.offset(parsed.offset()), parsed.records(), parsed.lines());
  }

  private void check(Split split, String fingerprint) {
    if (endless) {
      return;
    }
    if (!fingerprints.containsKey(split)) {
      throw new DroverException(
          new Problem(
              ErrorCode.CHECKPOINT_MISMATCH,
              "",
              "the checkpoint %s is of %s, which is no part of %s"
                  .formatted(id, split.id(), source.description()),
              "start without resume, or give the source of the run before"));
    }
    String now = fingerprints.getOrDefault(split, "");
    if (!now.equals(fingerprint) && !fingerprint.isEmpty()) {
      throw new DroverException(
          new Problem(
              ErrorCode.SOURCE_CHANGED,
              "",
              "%s has changed since the run that is to be resumed: it was %s and is %s"
                  .formatted(split.id(), fingerprint, now),
              "start without resume, so that all of it is read"));
    }
  }
}
