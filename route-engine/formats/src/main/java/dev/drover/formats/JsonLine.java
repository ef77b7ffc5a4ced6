package dev.drover.formats;

import dev.drover.spi.Batch;

/**
 * Reads a line that looks like the one before: compact JSON with the same keys in the same order.
 *
 * <p>This class is ugly because every byte of JSON lines goes through it: keys are compared eight
 * bytes at a time, and the end of a line is where the object ends, so nobody has to look for it
 * first. What it does not take, {@link JsonRows#add} does, which is also its plain form.
 */
final class JsonLine {

  /** The line is not like that; it may still be a row. */
  static final int NO = -1;

  private JsonLine() {}

  /**
   * Reads the values of a line that ends with a line feed, whatever comes before that. In strings
   * and elsewhere, a line feed ends the search, so it never goes beyond one.
   *
   * @param cells takes the values from {@code base}
   * @param nulls is set where a value is null, from {@code base}; elsewhere left alone
   * @return the index after the object, where the line feed is; {@link #NO}
   */
  static int read(
      byte[] in,
      int from,
      int limit,
      JsonLayout layout,
      JsonScanner scanner,
      long[] cells,
      byte[] nulls,
      int base) {
    int width = layout.size();
    long[] words = layout.words;
    int i = from;
    for (int f = 0; f < width; f++) {
      int word = layout.firstWords[f];
      int lastWord = layout.firstWords[f + 1] - 1;
      int at = i;
      for (; word < lastWord; word++, at += Long.BYTES) {
        if (Swar.load(in, at) != words[word]) {
          return NO;
        }
      }
      if (((Swar.load(in, at) ^ words[word]) & layout.lastMasks[f]) != 0) {
        return NO;
      }
      int value = i + layout.lengths[f];
      byte first = in[value];
      if (first == '"') {
        i = string(in, value + 1, limit, scanner);
      } else if (first == 'n') {
        i = scanner.value(value, limit);
        nulls[base + f] = Batch.NULL;
      } else {
        i = scanner.value(value, limit);
      }
      if (i < 0) {
        return NO;
      }
      cells[base + f] = Batch.slice(value, i - value);
    }
    return in[i] == '}' && in[i + 1] == '\n' ? i + 1 : NO;
  }

  private static int string(byte[] in, int from, int limit, JsonScanner scanner) {
    int i = from;
    while (true) {
      long hits = JsonText.escaped(Swar.load(in, i));
      if (hits == 0) {
        i += Long.BYTES;
        continue;
      }
      i += Long.numberOfTrailingZeros(hits) >>> 3;
      byte b = in[i];
      if (b == '"') {
        return i + 1;
      }
      byte escaped = in[i + 1];
      if (b == '\\' && (escaped == '"' || escaped == '\\' || escaped == 'n')) {
        i += 2;
        continue;
      }
      return scanner.string(i, limit);
    }
  }
}
