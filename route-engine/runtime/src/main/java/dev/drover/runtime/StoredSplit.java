package dev.drover.runtime;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Progress;

/**
 * How far a split has come, in the one line that is stored for it: {@link Progress#stored}.
 *
 * @param records records before the offset, for the places in errors
 * @param lines line ends before the offset
 * @param fingerprint what the split was like, see {@link dev.drover.spi.Source#fingerprint}; one
 *     word, or empty
 * @param offset in the source's own text
 */
public record StoredSplit(long records, long lines, String fingerprint, String offset) {

  private static final int PARTS = 4;

  /**
   * Reads the stored line.
   *
   * @throws DroverException with {@link ErrorCode#CHECKPOINT_BROKEN} if it is none
   */
  public static StoredSplit parse(String text) {
    String[] parts = text.split(" ", PARTS);
    try {
      if (parts.length == PARTS) {
        return new StoredSplit(
            Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new DroverException(
        new Problem(
            ErrorCode.CHECKPOINT_BROKEN,
            "",
            "the checkpoint holds '%s' where an offset should be".formatted(ConfigBinder.cut(text)),
            "remove it with 'drover checkpoint reset', then start anew"));
  }

  public String text() {
    return records + " " + lines + " " + fingerprint + " " + offset;
  }

  /** The same split at another offset; places in errors count from there. */
  public StoredSplit at(String other) {
    return new StoredSplit(0, 0, fingerprint, other);
  }
}
