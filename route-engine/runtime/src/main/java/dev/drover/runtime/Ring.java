package dev.drover.runtime;

import dev.drover.spi.Chunk;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries chunks from the reader to the workers and on to the writer, in the order in which they
 * were read. Bounded by slots and by bytes; one chunk is always let in, so that a chunk larger than
 * the budget passes alone. A plain ring under one lock: a run passes here a few times for each
 * chunk of hundreds of KiB, never for a row.
 */
final class Ring {

  /**
   * A chunk and what became of it. Fields are handed from thread to thread through the ring's lock.
   */
  static final class Slot {
    final @Nullable Chunk chunk;
    final List<Encoded> encoded = new ArrayList<>(4);
    long rows;
    long filtered;
    long records;
    long lines;
    final List<Refused> rejected = new ArrayList<>(0);

    /** The lines of the chunk where rows were repaired. */
    final List<Long> repaired = new ArrayList<>(0);

    @Nullable Throwable failure;
    @Nullable Stage stage;

    private boolean decoded;
    private @Nullable Schema wanted;
    private @Nullable Encoder answer;

    private Slot(@Nullable Chunk chunk) {
      this.chunk = chunk;
    }

    /** The schema that a worker needs an encoder for; null if the slot is ready to be written. */
    @Nullable Schema wanted() {
      return wanted;
    }

    void release() {
      encoded.forEach(Encoded::release);
      if (chunk != null) {
        chunk.release();
      }
    }
  }

  /**
   * A row that was refused.
   *
   * @param stage what refused it
   */
  record Refused(RejectedRow row, Stage stage) {}

  /**
   * Bounds chunks that wait for the sink's answer where they are too small for the bytes to do it.
   */
  private static final int UNANSWERED_PER_SLOT = 16;

  private final long maxBytes;
  private final @Nullable Slot[] slots;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition work = lock.newCondition();
  private final Condition head = lock.newCondition();
  private final Condition encoders = lock.newCondition();
  private final Condition waker = lock.newCondition();

  private long published;
  private long taken;
  private long written;
  private long released;
  private long bytes;
  private long wakes;
  private boolean ended;
  private boolean closed;

  Ring(int capacity, long maxBytes) {
    this.slots = new Slot[capacity];
    this.maxBytes = maxBytes;
  }

  /**
   * Reader: waits until another chunk may be read.
   *
   * @return false if the ring was closed
   */
  boolean awaitRoom() throws InterruptedException {
    lock.lock();
    try {
      while (!closed && !hasRoom()) {
        room.await();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom() {
    return published - written < slots.length
        && bytes < maxBytes
        && published - released < (long) UNANSWERED_PER_SLOT * slots.length;
  }

  /** Reader: hands a chunk on. In a closed ring it is released at once. */
  void publish(Chunk chunk) {
    if (!put(new Slot(chunk), chunk.bytes())) {
      chunk.release();
    }
  }

  /** Reader: nothing will follow. A failure takes its turn after the chunks before it. */
  void end(@Nullable Throwable failure) {
    if (failure != null) {
      Slot slot = new Slot(null);
      slot.failure = failure;
      slot.stage = Stage.READ;
      slot.decoded = true;
      put(slot, 0);
    }
    lock.lock();
    try {
      ended = true;
      work.signalAll();
      head.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Slot at(long sequence) {
    Slot slot = slots[(int) (sequence % slots.length)];
    if (slot == null) {
      throw new IllegalStateException("no slot " + sequence);
    }
    return slot;
  }

  private boolean put(Slot slot, int slotBytes) {
    lock.lock();
    try {
      while (!closed && published - written == slots.length) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      slots[(int) (published % slots.length)] = slot;
      published++;
      bytes += slotBytes;
      work.signal();
      if (slot.decoded) {
        head.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Worker: the next chunk to decode; null if there will be none. */
  @Nullable Slot takeWork() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        while (taken < published) {
          Slot slot = at(taken);
          taken++;
          if (slot.chunk != null) {
            return closed ? null : slot;
          }
        }
        if (ended || closed) {
          return null;
        }
        work.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Worker: the slot is decoded and encoded, or has failed. */
  void done(Slot slot) {
    lock.lock();
    try {
      slot.decoded = true;
      head.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Worker: asks the writer for the encoder of a schema that is new, and waits for the turn of the
   * slot.
   *
   * @throws CancellationException if the ring was closed
   */
  Encoder awaitEncoder(Slot slot, Schema schema) throws InterruptedException {
    lock.lock();
    try {
      slot.wanted = schema;
      head.signal();
      while (slot.wanted != null && !closed) {
        encoders.await();
      }
      Encoder encoder = slot.answer;
      slot.answer = null;
      if (encoder == null) {
        throw new CancellationException("the run has ended");
      }
      return encoder;
    } finally {
      lock.unlock();
    }
  }

  /** Writer: gives the encoder that the slot wants. */
  void answerEncoder(Slot slot, Encoder encoder) {
    lock.lock();
    try {
      slot.answer = encoder;
      slot.wanted = null;
      encoders.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writer: waits until the oldest slot is ready or wants an encoder. The same slot comes again
   * until {@link #advance}.
   *
   * @param nanos how long to wait at most
   * @return null if nothing is ready: see {@link #drained}
   */
  @Nullable Slot awaitHead(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long before = wakes;
      long left = nanos;
      while (!closed) {
        if (written < published) {
          Slot slot = at(written);
          if (slot.decoded || slot.wanted != null) {
            return slot;
          }
        } else if (ended) {
          return null;
        }
        if (left <= 0 || wakes != before) {
          return null;
        }
        left = head.awaitNanos(left);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether all that was read has passed the writer, or the ring was closed. */
  boolean drained() {
    lock.lock();
    try {
      return closed || (ended && written == published);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writer: goes on to the next slot. The slot still counts against the budget until {@link
   * #released}.
   */
  void advance() {
    lock.lock();
    try {
      slots[(int) (written % slots.length)] = null;
      written++;
      room.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Any thread: the memory of a slot that was advanced over is free. */
  void released(int slotBytes) {
    lock.lock();
    try {
      bytes -= slotBytes;
      released++;
      room.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a time, less if the ring is closed or {@link #wake} is called.
   *
   * @return false if the ring is closed
   */
  boolean pause(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long before = wakes;
      long left = nanos;
      while (!closed && wakes == before && left > 0) {
        left = waker.awaitNanos(left);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Any thread: ends the pauses and the waiting for a head that are going on. */
  void wake() {
    lock.lock();
    try {
      wakes++;
      waker.signalAll();
      head.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean closed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends everything at once: all waiting calls return, what is in flight stays in the slots. */
  void close() {
    lock.lock();
    try {
      closed = true;
      room.signalAll();
      work.signalAll();
      head.signalAll();
      encoders.signalAll();
      waker.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** After all threads have left a closed ring: frees what was in flight. */
  void releaseAll() {
    lock.lock();
    try {
      for (int i = 0; i < slots.length; i++) {
        Slot slot = slots[i];
        if (slot != null) {
          slot.release();
          slots[i] = null;
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
