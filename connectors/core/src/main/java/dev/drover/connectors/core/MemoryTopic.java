package dev.drover.connectors.core;

import dev.drover.spi.Batch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Committed batches in order. Thread-safe. */
final class MemoryTopic {

  /**
   * @param end rows of the topic up to and with this batch
   */
  record Stored(Batch batch, long bytes, long end) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Stored> batches = new ArrayDeque<>();
  private long rows;
  private long bytes;

  /** Appends all, or nothing if the store would hold more than so many bytes. */
  boolean append(List<MemorySink.Copied> added, long maxBytes) {
    lock.lock();
    try {
      long more = added.stream().mapToLong(MemorySink.Copied::bytes).sum();
      if (bytes + more > maxBytes) {
        return false;
      }
      for (MemorySink.Copied copied : added) {
        rows += copied.rows();
        batches.addLast(new Stored(copied.batch(), copied.bytes(), rows));
      }
      bytes += more;
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
