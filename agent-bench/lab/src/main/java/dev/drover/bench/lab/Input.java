package dev.drover.bench.lab;

import dev.drover.bench.client.Digest;
import dev.drover.bench.client.Fixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A CSV file and what must come out of it.
 *
 * @param csv the file
 * @param rows its data rows
 * @param bytes its size
 * @param linesSha256 SHA-256 of the JSON lines, every value a string
 */
record Input(Path csv, long rows, long bytes, String linesSha256) {
  /** The published fixture, or its first rows, or more of the same. */
  static Input fixture(Path file, long rows) throws IOException {
    Fixture.ensure(file, rows);
    return new Input(file, rows, Files.size(file), Fixture.linesSha256(rows));
  }

  /**
   * Compares a job's output with what it must be, and deletes it.
   *
   * @throws WrongOutputException when it differs
   */
  void check(String who, Path out) throws IOException {
    Digest made = Digest.of(out);
    Files.delete(out);
    if (made.newlines() != rows || !made.sha256().equals(linesSha256)) {
      throw new WrongOutputException(
          "%s made %d lines with SHA-256 %s of %s; expected %d lines, %s"
              .formatted(
                  who, made.newlines(), made.sha256(), csv.getFileName(), rows, linesSha256));
    }
  }
}
