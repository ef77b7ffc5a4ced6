package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonNames;
import dev.drover.formats.JsonScanner;
import dev.drover.spi.Batch;
import java.util.Arrays;
import java.util.List;

/** Looks into JSON documents, which are well-formed, without taking them apart. */
final class Documents {

  /** There is nothing at the path. */
  static final long NOTHING = -1;

  /** Values were checked against the limit when they were read. */
  static final int ANY_DEPTH = Integer.MAX_VALUE;

  private Documents() {}

  /**
   * The value at a path, as a slice; of keys that come twice the last one counts.
   *
   * @param document slice of the document
   * @return {@link #NOTHING} if the path leads nowhere
   */
  static long find(byte[] in, JsonScanner scanner, long document, List<FieldPath.Part> path) {
    long current = document;
    for (int i = 0; i < path.size() && current != NOTHING; i++) {
      FieldPath.Part part = path.get(i);
      int from = Batch.offset(current);
      int to = from + Batch.length(current);
      current =
          part.key() != null
              ? member(in, scanner, from, to, part.utf8())
              : element(in, scanner, from, to, part.index());
    }
    return current;
  }

  private static long member(byte[] in, JsonScanner scanner, int from, int to, byte[] key) {
    if (from == to || in[from] != '{') {
      return NOTHING;
    }
    long found = NOTHING;
    int i = scanner.space(from + 1, to);
    while (in[i] == '"') {
      int name = i + 1;
      int nameEnd = scanner.string(name, to) - 1;
      int value = scanner.colon(nameEnd + 1, to);
      int end = scanner.value(value, to);
      if (isKey(in, name, nameEnd, key)) {
        found = Batch.slice(value, end - value);
      }
      i = scanner.space(end, to);
      if (in[i] != ',') {
        break;
      }
      i = scanner.space(i + 1, to);
    }
    return found;
  }

  /** Whether a key, as it is written between its quotes, is this one. */
  static boolean isKey(byte[] in, int from, int to, byte[] key) {
    if (Arrays.equals(in, from, to, key, 0, key.length)) {
      return true;
    }
    for (int i = from; i < to; i++) {
      if (in[i] == '\\') {
        return Arrays.equals(JsonNames.of(in, from, to).getBytes(UTF_8), key);
      }
    }
    return false;
  }

  private static long element(byte[] in, JsonScanner scanner, int from, int to, int index) {
    if (from == to || in[from] != '[') {
      return NOTHING;
    }
    int i = scanner.space(from + 1, to);
    for (int n = 0; in[i] != ']'; n++) {
      int end = scanner.value(i, to);
      if (n == index) {
        return Batch.slice(i, end - i);
      }
      i = scanner.space(end, to);
      if (in[i] != ',') {
        break;
      }
      i = scanner.space(i + 1, to);
    }
    return NOTHING;
  }
}
