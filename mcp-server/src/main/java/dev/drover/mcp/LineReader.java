package dev.drover.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a byte stream into lines without copying them. One thread. */
final class LineReader {

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final int maxBytes;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private int next;
  private int start;
  private int length;
  private boolean tooLong;
  private boolean ended;

  /**
   * @param maxBytes the most bytes of a line
   */
  LineReader(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /**
   * Goes to the next line; blocks until it is there.
   *
   * @return false at the end of the stream; text after the last line end is a line
   */
  boolean next() throws IOException {
    start = next;
    tooLong = false;
    int searched = start;
    while (true) {
      for (int i = searched; i < filled; i++) {
        if (buffer[i] == '\n') {
          length = i - start;
          next = i + 1;
          tooLong |= length > maxBytes;
          return true;
        }
      }
      searched = filled;
      if (ended) {
        length = filled - start;
        next = filled;
        tooLong |= length > maxBytes;
        return length > 0 || tooLong;
      }
      searched -= makeRoom();
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        ended = true;
      } else {
        filled += read;
      }
    }
  }

  /**
   * Moves the line's beginning to the front, or makes the buffer larger; a line beyond the limit is
   * thrown away as it comes.
   *
   * @return by how much the line moved down
   */
  private int makeRoom() {
    int moved = 0;
    if (filled - start > maxBytes) {
      tooLong = true;
      moved = filled;
      start = 0;
      filled = 0;
    } else if (start > 0 && (start == filled || filled == buffer.length)) {
      moved = start;
      System.arraycopy(buffer, start, buffer, 0, filled - start);
      filled -= start;
      start = 0;
      if (filled < BUFFER_BYTES && buffer.length > BUFFER_BYTES) {
        buffer = Arrays.copyOf(buffer, BUFFER_BYTES);
      }
    }
    if (filled == buffer.length) {
      buffer =
          Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, maxBytes + (long) BUFFER_BYTES));
    }
    return moved;
  }

  /** Holds the line; valid until the next call of {@link #next}. */
  byte[] buffer() {
    return buffer;
  }

  int start() {
    return start;
  }

  /** Bytes of the line without its line feed. */
  int length() {
    return length;
  }

  /** Whether the line was longer than the limit; its content is gone then. */
  boolean tooLong() {
    return tooLong;
  }
}
