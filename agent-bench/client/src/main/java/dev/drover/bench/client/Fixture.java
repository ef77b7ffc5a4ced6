package dev.drover.bench.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.BiConsumer;

/**
 * The benchmark's CSV file, the same bytes on every machine and in every tool that publishes
 * figures for it: seven columns, CRLF line ends, JSON in the last column. The first rows of a
 * longer fixture are those of a shorter one.
 */
public final class Fixture {
  /** Rows, without the header, of the fixture that published figures are about. */
  public static final long DEFAULT_ROWS = 1_000_000;

  /** SHA-256 of the CSV file with {@link #DEFAULT_ROWS}. */
  public static final String CSV_SHA256 =
      "a84894e01d4c3fccfe89949ae169cef2e2d755770512bf2fe14e84360c45b221";

  /** SHA-256 of the JSON lines that a job without types makes of it. */
  public static final String LINES_SHA256 =
      "1b595ef86f69c46196aa9e53ebf0ac40bc881998f8330358d68d4543822f85ac";

  /** SHA-256 of the JSON lines if id is made an integer and attributes a document. */
  public static final String TYPED_LINES_SHA256 =
      "ef42c277815743a06de266817870785a994b7883c1e502208a33aefb98ec7340";

  private static final int SEED = 42;

  private Fixture() {}

  /**
   * Writes the CSV file.
   *
   * @param rows data rows, from 0 to 1,000,000,000
   * @throws IOException when {@code out} fails
   */
  public static Digest csv(long rows, OutputStream out) throws IOException {
    HashingOutput hashing = new HashingOutput(out);
    FixtureRows source = new FixtureRows(SEED);
    TextBuffer text = new TextBuffer(hashing);
    text.put("id,first_name,country,amount,created_at,active,attributes\r\n");
    for (long i = 0; i < rows; i++) {
      source.next().csv(text);
      text.flushIfFull();
    }
    text.flush();
    return hashing.digest();
  }

  /**
   * Writes what an untyped CSV to JSON lines job must make of the file: every value a string,
   * columns in header order, rows in input order.
   */
  public static Digest lines(long rows, OutputStream out) throws IOException {
    return lines(rows, out, FixtureRows::line);
  }

  /** The same of a job that makes id an integer and attributes a document. */
  public static Digest typedLines(long rows, OutputStream out) throws IOException {
    return lines(rows, out, FixtureRows::typedLine);
  }

  private static Digest lines(long rows, OutputStream out, BiConsumer<FixtureRows, TextBuffer> line)
      throws IOException {
    HashingOutput hashing = new HashingOutput(out);
    FixtureRows source = new FixtureRows(SEED);
    TextBuffer text = new TextBuffer(hashing);
    for (long i = 0; i < rows; i++) {
      line.accept(source.next(), text);
      text.flushIfFull();
    }
    text.flush();
    return hashing.digest();
  }

  /** SHA-256 that the output of an untyped job over {@code rows} rows must have. */
  public static String linesSha256(long rows) throws IOException {
    return rows == DEFAULT_ROWS
        ? LINES_SHA256
        : lines(rows, OutputStream.nullOutputStream()).sha256();
  }

  /** SHA-256 that the output of the typed job over {@code rows} rows must have. */
  public static String typedLinesSha256(long rows) throws IOException {
    return rows == DEFAULT_ROWS
        ? TYPED_LINES_SHA256
        : typedLines(rows, OutputStream.nullOutputStream()).sha256();
  }

  /**
   * Makes sure that {@code file} is the fixture: keeps a file whose bytes are right, else writes
   * one beside it and renames.
   *
   * @return true when the file was there and right
   */
  public static boolean ensure(Path file, long rows) throws IOException {
    if (rows == DEFAULT_ROWS
        && Files.isRegularFile(file)
        && Digest.of(file).sha256().equals(CSV_SHA256)) {
      return true;
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Digest made;
      try (OutputStream out = Files.newOutputStream(part)) {
        made = csv(rows, out);
      }
      if (rows == DEFAULT_ROWS && !made.sha256().equals(CSV_SHA256)) {
        throw new IllegalStateException(
            "the fixture came out wrong: SHA-256 " + made.sha256() + ", expected " + CSV_SHA256);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
    return false;
  }
}
