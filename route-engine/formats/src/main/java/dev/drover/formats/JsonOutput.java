package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;

/** The bytes of one encoded batch while they are written: an array that grows. */
public final class JsonOutput {

  /**
   * Longer text is written in pieces, so that the room it may need stays near to what it does need.
   */
  static final int PIECE_BYTES = 4096;

  /** What stores may touch past the end. */
  static final int OVERRUN = 2 * Long.BYTES;

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final Buffers buffers;

  /** The array and the index after what is written; who takes them out puts them back. */
  public byte[] bytes;

  public int at;

  public JsonOutput(Buffers buffers, int expected) {
    this.buffers = buffers;
    bytes = buffers.bytes(expected);
  }

  EncodedBytes done(int rows) {
    return new EncodedBytes(buffers, bytes, at, rows);
  }

  /** Makes room for {@code more} bytes and an overrun. */
  public void reserve(int more) {
    long needed = (long) at + more + OVERRUN;
    if (needed <= bytes.length) {
      return;
    }
    long larger =
        Math.min(Math.max(needed, bytes.length + (bytes.length >> 1)), Integer.MAX_VALUE - 64);
    if (needed > larger) {
      throw new DroverException(
          ErrorCode.LIMIT_EXCEEDED,
          "a batch takes more than 2 GiB as JSON; set a smaller `max_batch_rows`");
    }
    byte[] next = buffers.bytes((int) larger);
    System.arraycopy(bytes, 0, next, 0, at);
    buffers.give(bytes);
    bytes = next;
  }

  public void put(char ascii) {
    reserve(1);
    bytes[at++] = (byte) ascii;
  }

  public void put(String ascii) {
    reserve(ascii.length());
    for (int i = 0; i < ascii.length(); i++) {
      bytes[at++] = (byte) ascii.charAt(i);
    }
  }

  public void put(byte[] from, int index, int length) {
    reserve(length);
    System.arraycopy(from, index, bytes, at, length);
    at += length;
  }

  /** The inside of a JSON string. */
  public void text(byte[] from, int index, int length) {
    int end = index + length;
    for (int i = index; i < end; i += PIECE_BYTES) {
      int piece = Math.min(PIECE_BYTES, end - i);
      reserve(piece * JsonText.GROWTH);
      at = JsonText.write(from, i, piece, bytes, at);
    }
  }

  /** The inside of a JSON string, from text with {@link Batch#DOUBLED_QUOTES}. */
  void doubledText(byte[] from, int index, int length) {
    int end = index + length;
    int i = index;
    while (i < end) {
      int next = Math.min(end, i + PIECE_BYTES);
      if (isInPair(from, i, next)) {
        next++;
      }
      reserve((next - i) * JsonText.GROWTH);
      at = JsonText.writeDoubled(from, i, next - i, bytes, at);
      i = next;
    }
  }

  private static boolean isInPair(byte[] from, int start, int end) {
    int i = end;
    while (i > start && from[i - 1] == '"') {
      i--;
    }
    return ((end - i) & 1) != 0;
  }

  /** A JSON document on one line: a line end in it can only be white space. */
  public void document(byte[] from, int index, int length) {
    reserve(length + Long.BYTES);
    at = JsonText.copyDocument(from, index, length, bytes, at);
  }

  public void number(long value) {
    reserve(Digits.MAX_BYTES);
    at = Digits.write(bytes, at, value);
  }

  void hex(byte[] from, int index, int length) {
    for (int i = index; i < index + length; i++) {
      reserve(2);
      bytes[at++] = HEX[(from[i] >> 4) & 15];
      bytes[at++] = HEX[from[i] & 15];
    }
  }
}
