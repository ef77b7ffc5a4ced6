package dev.drover.bench.client;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Passes bytes on, and knows their number, line feeds and SHA-256. One thread. */
public final class HashingOutput extends OutputStream {
  private final OutputStream out;
  private final MessageDigest sha256;
  private long bytes;
  private long newlines;

  /** Writes go to {@code out}, which the caller keeps and closes. */
  public HashingOutput(OutputStream out) {
    this.out = out;
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    sha256.update(source, from, length);
    for (int i = from; i < from + length; i++) {
      newlines += source[i] == '\n' ? 1 : 0;
    }
    bytes += length;
    out.write(source, from, length);
  }

  /** What was written so far; ends the digest, so nothing may be written after. */
  public Digest digest() {
    return new Digest(bytes, newlines, HexFormat.of().formatHex(sha256.digest()));
  }
}
