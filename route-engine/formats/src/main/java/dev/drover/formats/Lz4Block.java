package dev.drover.formats;

/**
 * Decodes blocks of LZ4, whose matches may reach back into what stands before the block: the
 * library's decoders take no block that is linked with the one before.
 */
final class Lz4Block {

  private static final int LEAST_MATCH = 4;
  private static final int NIBBLE = 15;

  private Lz4Block() {}

  /**
   * Decodes one block.
   *
   * @param start where in {@code out} what matches may reach back to begins
   * @param at where in {@code out} to begin
   * @param limit where {@code out} ends
   * @return the index after the last byte; -1 if it is no block, or too long
   */
  static int decode(byte[] in, int length, byte[] out, int start, int at, int limit) {
    int read = 0;
    int write = at;
    while (read < length) {
      int token = in[read++] & 0xff;
      int literals = token >>> 4;
      if (literals == NIBBLE) {
        int more;
        do {
          if (read >= length || literals > limit) {
            return -1;
          }
          more = in[read++] & 0xff;
          literals += more;
        } while (more == 255);
      }
      if (literals > length - read || literals > limit - write) {
        return -1;
      }
      System.arraycopy(in, read, out, write, literals);
      read += literals;
      write += literals;
      if (read == length) {
        return write;
      }
      if (length - read < 2) {
        return -1;
      }
      int distance = (in[read] & 0xff) | (in[read + 1] & 0xff) << 8;
      read += 2;
      int match = token & NIBBLE;
      if (match == NIBBLE) {
        int more;
        do {
          if (read >= length || match > limit) {
            return -1;
          }
          more = in[read++] & 0xff;
          match += more;
        } while (more == 255);
      }
      match += LEAST_MATCH;
      if (distance == 0 || distance > write - start || match > limit - write) {
        return -1;
      }
      copy(out, write - distance, write, match);
      write += match;
    }
    // A block ends with literals.
    return -1;
  }

  /** Source and target may overlap: then what was just written is repeated. */
  private static void copy(byte[] out, int from, int to, int length) {
    int distance = to - from;
    int done = 0;
    while (done < length) {
      int step = Math.min(length - done, distance + done);
      System.arraycopy(out, from, out, to + done, step);
      done += step;
    }
  }
}
