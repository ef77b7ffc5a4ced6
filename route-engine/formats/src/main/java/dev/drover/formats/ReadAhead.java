package dev.drover.formats;

import dev.drover.spi.Buffers;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source ahead, on a thread of its own that lasts until {@link #close}. What is read and
 * not taken yet is bounded: {@value #MAX_BLOCKS} blocks. An error comes in its turn, after the
 * bytes before it.
 */
public final class ReadAhead implements ByteSource, AutoCloseable {

  /** Opens and closes what is read; the thread does all of it. */
  @FunctionalInterface
  public interface Opener {
    Opened open() throws IOException;
  }

  /** A source that holds something which must be freed. */
  public interface Opened extends ByteSource, AutoCloseable {
    @Override
    void close() throws IOException;
  }

  private static final int BLOCK_BYTES = 128 << 10;
  private static final int MAX_BLOCKS = 8;

  private static final class Block {
    final byte[] bytes;
    final int length;

    Block(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
    }
  }

  private final Opener opener;
  private final Buffers buffers;
  private final Thread thread;
  private final Object lock = new Object();

  // Guarded by the lock.
  private final Deque<Block> ready = new ArrayDeque<>();
  private @Nullable Throwable failure;
  private boolean ended;
  private boolean closed;

  // The taker's.
  private @Nullable Block current;
  private int at;

  /** Starts the thread. */
  public ReadAhead(String name, Opener opener, Buffers buffers) {
    this.opener = opener;
    this.buffers = buffers;
    thread = Thread.ofPlatform().daemon().name("drover-ahead-" + name).start(this::run);
  }

  private void run() {
    Throwable cause = null;
    try (Opened source = opener.open()) {
      while (awaitRoom()) {
        fill(source);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cause = e;
    } catch (Throwable e) {
      // Also an OutOfMemoryError: it fails the run, as in the reader's own thread.
      cause = e;
    }
    synchronized (lock) {
      failure = cause;
      ended = true;
      lock.notifyAll();
    }
  }

  /** False once nothing more is wanted or there. */
  private boolean awaitRoom() throws InterruptedException {
    synchronized (lock) {
      while (ready.size() >= MAX_BLOCKS && !closed) {
        lock.wait();
      }
      return !closed && !ended;
    }
  }

  private void fill(ByteSource source) throws IOException {
    byte[] bytes = buffers.bytes(BLOCK_BYTES);
    int length = 0;
    boolean end = false;
    try {
      // What comes slowly is handed on at once; only a block that is nearly empty waits for more.
      do {
        int read = source.read(bytes, length, BLOCK_BYTES - length);
        end = read < 0;
        length += Math.max(0, read);
      } while (!end && length < BLOCK_BYTES && !isAwaited());
    } finally {
      hand(bytes, length, end);
    }
  }

  private boolean isAwaited() {
    synchronized (lock) {
      return ready.isEmpty();
    }
  }

  private void hand(byte[] bytes, int length, boolean end) {
    synchronized (lock) {
      if (length > 0 && !closed) {
        ready.addLast(new Block(bytes, length));
      } else {
        buffers.give(bytes);
      }
      ended |= end;
      lock.notifyAll();
    }
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    Block block = current;
    if (block == null) {
      block = next();
      if (block == null) {
        return -1;
      }
      current = block;
      at = 0;
    }
    int count = Math.min(length, block.length - at);
    System.arraycopy(block.bytes, at, into, from, count);
    at += count;
    if (at == block.length) {
      current = null;
      buffers.give(block.bytes);
    }
    return count;
  }

  private @Nullable Block next() throws IOException {
    synchronized (lock) {
      try {
        while (ready.isEmpty() && !ended && !closed) {
          lock.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClosedByInterruptException();
      }
      Block block = ready.pollFirst();
      lock.notifyAll();
      if (block == null) {
        rethrow();
      }
      return block;
    }
  }

  private void rethrow() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IOException(e);
    }
  }

  /** Ends the thread, also one that waits for input, and gives the memory back. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    thread.interrupt();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    synchronized (lock) {
      ready.forEach(block -> buffers.give(block.bytes));
      ready.clear();
    }
    Block block = current;
    if (block != null) {
      current = null;
      buffers.give(block.bytes);
    }
  }
}
