package dev.drover.formats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises JSON documents that are built like earlier ones: the same keys, brackets and white
 * space in the same places, with other strings, numbers and literals between them. Such a document
 * is well-formed because the earlier one was, and telling so costs a few comparisons. One thread.
 *
 * <p>This class is ugly because it is there for speed only: {@link JsonScanner} says what it means.
 */
public final class JsonShapes {

  /** Beyond so many parts the documents are too different for this to help. */
  private static final int MAX_PARTS = 256;

  /** Documents with more values are as well scanned. */
  private static final int MAX_VALUES = 64;

  /** After so many documents of new shapes more than of known ones, nothing is learnt any more. */
  private static final int PATIENCE = 256;

  private static final byte STRING = 0;
  private static final byte OTHER = 1;
  private static final byte END = 2;

  /** What stands between two values, or before the first, and what may follow the next value. */
  private static final class Part {
    final byte[] text;
    final int length;

    // The first sixteen bytes, and which of them count.
    final long first;
    final long firstMask;
    final long second;
    final long secondMask;

    /** What comes behind it. */
    final byte kind;

    Part[] next = {};

    Part(byte[] text, byte kind) {
      this.text = text;
      this.length = text.length;
      this.kind = kind;
      byte[] padded = Arrays.copyOf(text, Math.max(text.length, 2 * Long.BYTES));
      first = Swar.load(padded, 0);
      firstMask = mask(length);
      second = Swar.load(padded, Long.BYTES);
      secondMask = mask(length - Long.BYTES);
    }

    private static long mask(int bytes) {
      if (bytes <= 0) {
        return 0;
      }
      return bytes >= Long.BYTES ? -1 : -1L >>> ((Long.BYTES - bytes) << 3);
    }

    boolean isAt(byte[] in, int at) {
      long differences =
          ((Swar.load(in, at) ^ first) & firstMask)
              | ((Swar.load(in, at + Long.BYTES) ^ second) & secondMask);
      return differences == 0 && (length <= 2 * Long.BYTES || isRestAt(in, at));
    }

    private boolean isRestAt(byte[] in, int at) {
      int from = 2 * Long.BYTES;
      int end = Math.min(in.length, at + length);
      return Arrays.equals(in, Math.min(end, at + from), end, text, from, length);
    }

    /** The one among the next that is like it. */
    @Nullable Part child(Part like) {
      for (Part each : next) {
        if (each.kind == like.kind && Arrays.equals(each.text, like.text)) {
          return each;
        }
      }
      return null;
    }
  }

  private final Part root = new Part(new byte[0], END);
  private int count;
  private int patience = PATIENCE;

  /**
   * Whether the text is one well-formed document of a known shape. If not, it may still be
   * well-formed.
   *
   * @param in with {@link dev.drover.spi.Batch#PADDING} bytes behind the text
   */
  public boolean matches(byte[] in, int from, int to) {
    Part part = root;
    int at = from;
    while (true) {
      Part found = null;
      for (Part each : part.next) {
        if (each.isAt(in, at) && !goesOn(each, in, at)) {
          found = each;
          break;
        }
      }
      if (found == null) {
        return false;
      }
      at += found.length;
      if (found.kind == END) {
        return at == to;
      }
      at = found.kind == STRING ? string(in, at, to) : other(in, at, to);
      if (at < 0 || at > to) {
        return false;
      }
      part = found;
    }
  }

  /** What ends before a number ends before a string too, with whose quote it would be longer. */
  private static boolean goesOn(Part part, byte[] in, int at) {
    return part.kind == OTHER && at + part.length < in.length && in[at + part.length] == '"';
  }

  /** The index of the closing quote; -1 if this is not easily told. */
  private static int string(byte[] in, int from, int to) {
    int i = from;
    while (i < to) {
      long hits = JsonText.escaped(Swar.load(in, i));
      if (hits == 0) {
        i += Long.BYTES;
        continue;
      }
      i += Long.numberOfTrailingZeros(hits) >>> 3;
      if (in[i] == '"') {
        return i;
      }
      if (in[i] != '\\' || !JsonStrings.isShortEscape(in[i + 1])) {
        return -1;
      }
      i += 2;
    }
    return -1;
  }

  /** The index after a number or literal; -1 if this is not easily told. */
  private static int other(byte[] in, int from, int to) {
    int i = from;
    switch (in[i]) {
      case 't' -> {
        return in[i + 1] == 'r' && in[i + 2] == 'u' && in[i + 3] == 'e' ? i + 4 : -1;
      }
      case 'f' -> {
        boolean fits = in[i + 1] == 'a' && in[i + 2] == 'l' && in[i + 3] == 's' && in[i + 4] == 'e';
        return fits ? i + 5 : -1;
      }
      case 'n' -> {
        return in[i + 1] == 'u' && in[i + 2] == 'l' && in[i + 3] == 'l' ? i + 4 : -1;
      }
      default -> {}
    }
    if (in[i] == '-') {
      i++;
    }
    int begin = i;
    while (i < to && in[i] >= '0' && in[i] <= '9') {
      i++;
    }
    if (i == begin || (in[begin] == '0' && i > begin + 1)) {
      return -1;
    }
    if (i < to && in[i] == '.') {
      begin = ++i;
      while (i < to && in[i] >= '0' && in[i] <= '9') {
        i++;
      }
      if (i == begin) {
        return -1;
      }
    }
    // An exponent does not fit what follows, and is left to the scanner.
    return i;
  }

  /**
   * Learns the shape of a document that did not match.
   *
   * @param from where a well-formed document begins, without white space around it
   */
  public void learn(byte[] in, int from, int to) {
    if (patience == 0) {
      return;
    }
    patience--;
    Part part = root;
    for (Part each : parts(in, from, to)) {
      Part child = part.child(each);
      if (child == null && count == MAX_PARTS) {
        return;
      }
      if (child == null) {
        count++;
        child = each;
        part.next = Arrays.copyOf(part.next, part.next.length + 1);
        part.next[part.next.length - 1] = child;
      }
      part = child;
    }
  }

  /** The parts of a document; none if it has too many. */
  private static List<Part> parts(byte[] in, int from, int to) {
    JsonScanner scanner = new JsonScanner(in, 1);
    List<Part> seen = new ArrayList<>();
    int begin = from;
    int i = from;
    while (i < to) {
      if (seen.size() == MAX_VALUES) {
        return List.of();
      }
      byte b = in[i];
      if (b == '"') {
        int end = scanner.string(i + 1, to);
        int behind = scanner.space(end, to);
        if (behind >= to || in[behind] != ':') {
          seen.add(new Part(Arrays.copyOfRange(in, begin, i + 1), STRING));
          begin = end - 1;
        }
        i = end;
      } else if (b == '-' || (b >= '0' && b <= '9') || b == 't' || b == 'f' || b == 'n') {
        seen.add(new Part(Arrays.copyOfRange(in, begin, i), OTHER));
        i = scanner.value(i, to);
        begin = i;
      } else {
        i++;
      }
    }
    seen.add(new Part(Arrays.copyOfRange(in, begin, to), END));
    return seen;
  }
}
