package dev.drover.bench.lab.faults;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What came out of a route beside what should have.
 *
 * @param rows that should have come
 * @param lost of these, how many did not come at all
 * @param doubled how many came once too often
 * @param foreign lines that are none of the rows, or only a part of one
 * @param skips places where a row follows that is neither the next nor one that was there before
 * @param replays places where rows begin anew that were there before
 */
record Comparison(long rows, long lost, long doubled, long foreign, long skips, long replays) {

  /**
   * Compares line by line. Where all lines are the same there is no order to look at, and replays
   * cannot be told.
   */
  static Comparison of(byte[] expected, byte[] actual) {
    List<String> wanted = lines(expected);
    List<String> found = lines(actual);
    Map<String, Integer> places = new HashMap<>();
    for (String line : wanted) {
      places.putIfAbsent(line, places.size());
    }
    boolean ordered = places.size() == wanted.size();
    long[] times = new long[places.size()];
    long foreign = 0;
    long skips = 0;
    long replays = 0;
    int before = -1;
    for (String line : found) {
      Integer place = places.get(line);
      if (place == null) {
        foreign++;
        continue;
      }
      times[place]++;
      if (ordered && place > before + 1) {
        skips++;
      } else if (ordered && place <= before) {
        replays++;
      }
      before = place;
    }
    long each = ordered ? 1 : wanted.size();
    long lost = 0;
    long doubled = 0;
    for (long count : times) {
      lost += Math.max(0, each - count);
      doubled += Math.max(0, count - each);
    }
    return new Comparison(wanted.size(), lost, doubled, foreign, skips, replays);
  }

  /** A last line without its end is a line, and none of the wanted ones. */
  private static List<String> lines(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        lines.add(new String(bytes, from, i + 1 - from, StandardCharsets.UTF_8));
        from = i + 1;
      }
    }
    if (from < bytes.length) {
      lines.add(new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8));
    }
    return lines;
  }

  /** Everything came once and in order. */
  boolean exact() {
    return lost == 0 && doubled == 0 && foreign == 0 && skips == 0;
  }

  /** Everything came, in order but for as many replays as there were reasons for. */
  boolean complete(int reasons) {
    return lost == 0 && foreign == 0 && skips == 0 && replays <= reasons;
  }

  @Override
  public String toString() {
    return "%d of %d rows lost, %d doubled, %d lines that are none, %d skips, %d replays"
        .formatted(lost, rows, doubled, foreign, skips, replays);
  }
}
