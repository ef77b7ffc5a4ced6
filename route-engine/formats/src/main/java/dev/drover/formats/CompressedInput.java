package dev.drover.formats;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;

/** Compressed bytes, a buffer of them at a time. */
final class CompressedInput {

  private static final int BUFFER_BYTES = 64 << 10;

  private final ByteSource source;

  /** The bytes from {@link #at} to {@link #end} are there and not used yet. */
  final byte[] buffer = new byte[BUFFER_BYTES];

  int at;
  int end;

  private long before;
  private boolean ended;
  private boolean truncated;

  CompressedInput(ByteSource source) {
    this.source = source;
  }

  int available() {
    return end - at;
  }

  /** How many bytes were used. */
  long used() {
    return before + at;
  }

  /**
   * Reads on; whether a byte more is there. There must be room: not all of the buffer is unused.
   */
  boolean more() throws IOException {
    if (ended) {
      return false;
    }
    if (at > 0) {
      System.arraycopy(buffer, at, buffer, 0, end - at);
      before += at;
      end -= at;
      at = 0;
    }
    int read = source.read(buffer, end, buffer.length - end);
    ended = read < 0;
    end += Math.max(0, read);
    return !ended;
  }

  /** Whether so many unused bytes are there, a few at most. */
  boolean has(int count) throws IOException {
    while (end - at < count) {
      if (!more()) {
        return false;
      }
    }
    return true;
  }

  /** Sees that so many unused bytes are there, a few at most. */
  void need(int count, Compression kind) throws IOException {
    if (!has(count)) {
      throw truncated(kind);
    }
  }

  int next(Compression kind) throws IOException {
    if (at == end) {
      need(1, kind);
    }
    return buffer[at++] & 0xff;
  }

  int nextInt(Compression kind) throws IOException {
    need(Integer.BYTES, kind);
    int value = Compression.littleEndian(buffer, at);
    at += Integer.BYTES;
    return value;
  }

  /** All of the wanted bytes. */
  void next(byte[] into, int length, Compression kind) throws IOException {
    int done = 0;
    while (done < length) {
      if (at == end) {
        need(1, kind);
      }
      int count = Math.min(length - done, end - at);
      System.arraycopy(buffer, at, into, done, count);
      at += count;
      done += count;
    }
  }

  void skip(long count, Compression kind) throws IOException {
    long left = count;
    while (left > 0) {
      if (at == end) {
        need(1, kind);
      }
      int step = (int) Math.min(left, end - at);
      at += step;
      left -= step;
    }
  }

  /** Whether an end in the wrong place was met. */
  boolean isTruncated() {
    return truncated;
  }

  DroverException truncated(Compression kind) {
    truncated = true;
    return new DroverException(
        new Problem(
            ErrorCode.CORRUPT_INPUT,
            "",
            "the %s data is truncated: unexpected end after %,d compressed bytes"
                .formatted(kind.wire(), used() + available()),
            "fetch or make the file again; it is not whole"));
  }

  /**
   * @param how what is wrong, as in "its checksum does not fit"
   */
  DroverException corrupt(Compression kind, String how) {
    return new DroverException(
        new Problem(
            ErrorCode.CORRUPT_INPUT,
            "",
            "the %s data is corrupt near compressed byte %,d: %s"
                .formatted(kind.wire(), used(), how),
            "fetch or make the file again"));
  }
}
