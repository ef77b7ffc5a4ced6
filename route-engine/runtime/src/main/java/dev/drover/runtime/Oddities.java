package dev.drover.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was done to rows without failing the run: how many, and where the first ones are. */
final class Oddities {

  /** Of how many rows the place is told. */
  private static final int SHOWN = 3;

  private final String what;
  private final List<String> places = new ArrayList<>(SHOWN);
  private long count;

  /**
   * @param what begins the sentence in which the number and the places follow
   */
  Oddities(String what) {
    this.what = what;
  }

  /** Any thread; in the order of the rows. */
  synchronized void add(String split, long line, String why) {
    count++;
    if (places.size() < SHOWN) {
      String at = line > 0 ? "%s line %d".formatted(split, line) : split;
      places.add(why.isEmpty() ? at : "%s (%s)".formatted(at, why));
    }
  }

  /** Warnings, and a sentence for each kind of oddity that there was. */
  static List<String> behind(List<String> warnings, Oddities... kinds) {
    List<String> all = new ArrayList<>(warnings);
    for (Oddities each : kinds) {
      String text = each.text();
      if (text != null) {
        all.add(text);
      }
    }
    return List.copyOf(all);
  }

  /** A sentence; null if there was none. */
  synchronized @Nullable String text() {
    return count == 0
        ? null
        : "%s: %,d; first at %s".formatted(what, count, String.join(", ", places));
  }
}
