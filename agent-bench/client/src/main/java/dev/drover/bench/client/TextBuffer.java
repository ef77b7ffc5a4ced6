package dev.drover.bench.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * ASCII text on its way to a stream, for generators of large files. The caller flushes: {@link
 * #flushIfFull} at least every 4,096 bytes, {@link #flush} at the end. One thread.
 */
public final class TextBuffer {
  private static final int FULL = 1 << 16;

  private final OutputStream out;
  private final byte[] bytes = new byte[FULL + 4096];
  private int length;

  /** Writes go to {@code out}, which the caller keeps and closes. */
  public TextBuffer(OutputStream out) {
    this.out = out;
  }

  /** The bytes as they are. */
  public void put(byte[] text) {
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  /** ASCII text. */
  public void put(String text) {
    put(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** One ASCII character. */
  public void put(char c) {
    bytes[length++] = (byte) c;
  }

  /** The number, not negative, in decimal without leading zeros. */
  public void put(long number) {
    if (number >= 10) {
      put(number / 10);
    }
    put((char) ('0' + number % 10));
  }

  /** The last {@code digits} digits of the number. */
  public void put(int number, int digits) {
    int rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  /** {@code scaled / 10^digits}, without trailing zeros but with at least one decimal. */
  public void putDecimal(long scaled, int digits) {
    int scale = 1;
    for (int i = 0; i < digits; i++) {
      scale *= 10;
    }
    put(scaled / scale);
    put('.');
    put((int) (scaled % scale), digits);
    for (int i = 1; i < digits && bytes[length - 1] == '0'; i++) {
      length--;
    }
  }

  /** Passes the text on if there is much of it. */
  public void flushIfFull() throws IOException {
    if (length >= FULL) {
      flush();
    }
  }

  /** Passes all text on. */
  public void flush() throws IOException {
    out.write(bytes, 0, length);
    length = 0;
  }
}
