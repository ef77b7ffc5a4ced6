package dev.drover.bench.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of bytes over the two pipes of a child process, counted. One thread. */
final class Wire {
  private static final int MAX_LINE_BYTES = 64 << 20;

  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[1 << 16];
  private int from;
  private int to;
  private long sent;
  private long received;

  Wire(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /** Bytes written so far, line ends included. */
  long sent() {
    return sent;
  }

  /** Bytes of the lines read so far, line ends included. */
  long received() {
    return received;
  }

  /** Sends one line; {@code text} has no line end. */
  void send(String text) throws IOException {
    byte[] line = (text + "\n").getBytes(StandardCharsets.UTF_8);
    out.write(line);
    out.flush();
    sent += line.length;
  }

  /** The next line without its end; null at the end of the stream. */
  @Nullable String receive() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream(0);
    while (true) {
      for (int i = from; i < to; i++) {
        if (buffer[i] == '\n') {
          head.write(buffer, from, i - from);
          received += head.size() + 1;
          from = i + 1;
          return head.toString(StandardCharsets.UTF_8);
        }
      }
      head.write(buffer, from, to - from);
      if (head.size() > MAX_LINE_BYTES) {
        throw new McpException("the server sent a line of more than " + MAX_LINE_BYTES + " bytes");
      }
      from = 0;
      to = in.read(buffer);
      if (to < 0) {
        to = 0;
        return null;
      }
    }
  }
}
