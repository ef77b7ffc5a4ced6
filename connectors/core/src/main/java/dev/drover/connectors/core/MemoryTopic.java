package dev.drover.connectors.core;

import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Split;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Committed batches in order. Thread-safe. */
final class MemoryTopic {

  /**
   * @param end rows of the topic up to and with this batch
   */
  record Stored(Batch batch, long bytes, long end) {}

  /**
   * A checkpoint.
   *
   * @param epoch how often it was taken over
   */
  record Claim(long epoch, Map<Split, String> stored) {}

  private final Map<String, Claim> checkpoints = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Stored> batches = new ArrayDeque<>();
  private long rows;
  private long bytes;

  /**
   * Takes a checkpoint over: commits of earlier epochs fail from now on.
   *
   * @param resume whether what it holds is kept
   */
  Claim claim(String id, boolean resume) {
    lock.lock();
    try {
      Claim before = checkpoints.get(id);
      Claim claim =
          new Claim(
              before == null ? 1 : before.epoch() + 1,
              before == null || !resume ? Map.of() : before.stored());
      checkpoints.put(id, claim);
      return claim;
    } finally {
      lock.unlock();
    }
  }

  /** The route has completed: its next run begins at the start. */
  void forget(String id) {
    lock.lock();
    try {
      checkpoints.remove(id);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends all and moves the checkpoint, or does nothing if the store would hold more than so many
   * bytes.
   *
   * @param id empty if there is no checkpoint
   * @throws DroverException if a later epoch has the checkpoint
   */
  boolean append(
      List<MemorySink.Copied> added,
      long maxBytes,
      String id,
      long epoch,
      Map<Split, String> stored) {
    lock.lock();
    try {
      Claim claim = checkpoints.get(id);
      if (!id.isEmpty() && (claim == null || claim.epoch() != epoch)) {
        throw new DroverException(
            new Problem(
                ErrorCode.FENCED,
                "",
                "another run has taken the checkpoint " + id + " over",
                "see that only one run of this route is going on"));
      }
      long more = added.stream().mapToLong(MemorySink.Copied::bytes).sum();
      if (bytes + more > maxBytes) {
        return false;
      }
      for (MemorySink.Copied copied : added) {
        rows += copied.rows();
        batches.addLast(new Stored(copied.batch(), copied.bytes(), rows));
      }
      bytes += more;
      if (!id.isEmpty()) {
        checkpoints.put(id, new Claim(epoch, Map.copyOf(stored)));
      }
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The first batch after so many rows; null if there is none within the time. */
  @Nullable Stored after(long place, long waitNanos) throws InterruptedException {
    lock.lock();
    try {
      long left = waitNanos;
      while (true) {
        for (Stored stored : batches) {
          if (stored.end() > place) {
            return stored;
          }
        }
        if (left <= 0) {
          return null;
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what is before a place. */
  void removeUntil(long place) {
    lock.lock();
    try {
      Stored first;
      while ((first = batches.peekFirst()) != null && first.end() <= place) {
        batches.removeFirst();
        bytes -= first.bytes();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes up whoever waits, as if rows had come. */
  void wakeUp() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
