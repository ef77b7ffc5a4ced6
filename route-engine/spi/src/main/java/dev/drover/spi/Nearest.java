package dev.drover.spi;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds what somebody may have meant. */
public final class Nearest {

  private Nearest() {}

  /**
   * The known name with the least edit distance; null if none is near: at most a third of the
   * letters, and at least one, may differ.
   */
  public static @Nullable String match(String name, Collection<String> known) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String best = null;
    int least = Math.max(1, wanted.length() / 3) + 1;
    for (String candidate : known) {
      // Also spares the table for a name of megabytes.
      if (Math.abs(candidate.length() - wanted.length()) >= least) {
        continue;
      }
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best;
  }

  /** Edit distance where exchanging two neighbours counts as one. */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + same);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
