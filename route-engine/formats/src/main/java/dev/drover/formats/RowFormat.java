package dev.drover.formats;

import dev.drover.spi.Encoder;
import dev.drover.spi.Schema;

/**
 * Writes the rows of one file, or of what is like one. Made for one writer and used by its thread;
 * the encoders are used by any.
 */
public interface RowFormat {

  /**
   * What stands before the first row of a file.
   *
   * @param first the schema of the first rows
   * @return empty for most formats
   */
  byte[] head(Schema first);

  /** What stands before the first row of each further file, after {@link #head(Schema)}. */
  byte[] head();

  /**
   * Goes on behind rows that are there already.
   *
   * @param start how the file begins: all of it, or at least {@link #HEAD_BYTES}
   * @throws dev.drover.spi.DroverException if rows of this format cannot follow
   */
  void goOn(byte[] start);

  /**
   * An encoder that makes {@link EncodedBytes}. After {@link #head} or {@link #goOn}.
   *
   * @throws dev.drover.spi.DroverException if rows of this schema cannot be written
   */
  Encoder encoder(Schema schema);

  /** How much of a file is enough to go on behind it. */
  int HEAD_BYTES = 1 << 20;
}
