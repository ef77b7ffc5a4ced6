package dev.drover.bench.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a run of bytes was, to compare with what it should have been.
 *
 * @param bytes their number
 * @param newlines how many of them are line feeds
 * @param sha256 lower-case hexadecimal
 */
public record Digest(long bytes, long newlines, String sha256) {
  /**
   * Reads a whole file.
   *
   * @throws IOException when it cannot be read
   */
  public static Digest of(Path file) throws IOException {
    HashingOutput hashing = new HashingOutput(OutputStream.nullOutputStream());
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        hashing.write(buffer, 0, read);
      }
    }
    return hashing.digest();
  }
}
