package dev.drover.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calls of a connection that wait for something, each on a virtual thread. Any thread. */
final class WaitingCalls {

  /** How many calls of one connection may wait at the same time. */
  static final int MAX_WAITING_CALLS = 1000;

  private final Map<Object, Call> calls = new ConcurrentHashMap<>();

  /** A call that is answered once or never. */
  static final class Call {
    private boolean closed;
    private @Nullable Thread thread;

    /**
     * Claims the right to answer, for the call's own thread, which is not interrupted from then on.
     *
     * @return false if the call was cancelled or given up
     */
    synchronized boolean answer() {
      Thread.interrupted();
      return close();
    }

    /** Whether nothing must be sent any more. */
    synchronized boolean closed() {
      return closed;
    }

    /** Takes the right to answer; false if somebody else has it. */
    private synchronized boolean close() {
      boolean first = !closed;
      closed = true;
      return first;
    }

    private synchronized void cancel() {
      interrupt();
      closed = true;
    }

    private synchronized void interrupt() {
      if (!closed && thread != null) {
        thread.interrupt();
      }
    }
  }

  /**
   * Starts a call.
   *
   * @return false if its id is taken or too many wait
   */
  boolean start(Object id, Consumer<Call> body) {
    Call call = new Call();
    if (calls.size() >= MAX_WAITING_CALLS || calls.putIfAbsent(id, call) != null) {
      return false;
    }
    Thread thread =
        Thread.ofVirtual()
            .name("call-" + id)
            .unstarted(
                () -> {
                  try {
                    body.accept(call);
                  } finally {
                    calls.remove(id, call);
                  }
                });
    call.thread = thread;
    thread.start();
    return true;
  }

  boolean has(Object id) {
    return calls.containsKey(id);
  }

  /** Ends a call without an answer; does nothing if there is no such call. */
  void cancel(@Nullable Object id) {
    Call call = id == null ? null : calls.get(id);
    if (call != null) {
      call.cancel();
    }
  }

  /**
   * Makes all calls answer what they know; returns when they have, or when the time is up.
   *
   * @return the ids of those that have not answered and now never will
   */
  List<Object> end(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    calls.values().forEach(Call::interrupt);
    try {
      for (Call call : calls.values()) {
        long left = deadline - System.nanoTime();
        if (call.thread != null && left > 0) {
          call.thread.join(Duration.ofNanos(left));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Object> late = new ArrayList<>();
    calls.forEach(
        (id, call) -> {
          if (call.close()) {
            late.add(id);
          }
        });
    return late;
  }
}
