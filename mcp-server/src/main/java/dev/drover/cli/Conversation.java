package dev.drover.cli;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A client that never thinks: it sends the next request as soon as the last one is answered. The
 * two streams may be used by different threads.
 */
final class Conversation {

  private final List<String> requests;
  private int sent;
  private int answered;

  /**
   * @param requests JSON-RPC requests without their version, their number and the outer braces
   */
  Conversation(List<String> requests) {
    this.requests = List.copyOf(requests);
  }

  /** What the server reads. Ends when the last request is answered. */
  InputStream requests() {
    return new Requests();
  }

  /** What the server writes to. A line is an answer. */
  OutputStream replies() {
    return new Replies();
  }

  synchronized int answered() {
    return answered;
  }

  private synchronized byte[] next() throws InterruptedIOException {
    try {
      while (answered < sent) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for an answer");
    }
    if (sent == requests.size()) {
      return new byte[0];
    }
    String line = "{\"jsonrpc\":\"2.0\",\"id\":%d,%s}\n".formatted(sent, requests.get(sent));
    sent++;
    return line.getBytes(StandardCharsets.UTF_8);
  }

  private synchronized void took(int lines) {
    answered += lines;
    notifyAll();
  }

  private final class Requests extends InputStream {
    private byte[] line = new byte[0];
    private int taken;

    @Override
    public int read() throws InterruptedIOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws InterruptedIOException {
      if (taken == line.length) {
        line = next();
        taken = 0;
        if (line.length == 0) {
          return -1;
        }
      }
      int count = Math.min(length, line.length - taken);
      System.arraycopy(line, taken, to, offset, count);
      taken += count;
      return count;
    }
  }

  private final class Replies extends OutputStream {
    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      int lines = 0;
      for (int i = offset; i < offset + length; i++) {
        if (from[i] == '\n') {
          lines++;
        }
      }
      took(lines);
    }
  }
}
