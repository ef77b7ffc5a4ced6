package dev.drover.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/** Sends messages, each with one write. Any thread. */
final class MessageWriter {

  private final OutputStream out;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean broken;

  MessageWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Sends a message, line end included. Once the client is gone nothing is sent and nothing is
   * thrown: there is nobody to tell.
   */
  void send(JsonWriter message) {
    lock.lock();
    try {
      if (!broken) {
        message.writeTo(out);
        out.flush();
      }
    } catch (IOException e) {
      broken = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the client has closed its end. */
  boolean broken() {
    return broken;
  }
}
