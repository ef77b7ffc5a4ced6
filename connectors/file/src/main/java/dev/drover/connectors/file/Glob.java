package dev.drover.connectors.file;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A path with wildcards: {@code *} and {@code ?} stay within a name, {@code **} stands for any
 * number of folders, {@code [a-z]} for one of these characters, {@code {a,b}} for one of these
 * words.
 *
 * @param base the path up to the first name with a wildcard; empty if that is the first one
 * @param names fits what comes after the base, with slashes
 * @param depth how many names deep a match can be
 */
record Glob(String base, Pattern names, int depth) {

  private static final String WILDCARDS = "*?[{";

  /** Null if the path has no wildcard. */
  static @Nullable Glob of(String path) {
    int first = -1;
    for (int i = 0; i < path.length() && first < 0; i++) {
      if (WILDCARDS.indexOf(path.charAt(i)) >= 0) {
        first = i;
      }
    }
    if (first < 0) {
      return null;
    }
    int slash = path.lastIndexOf('/', first);
    String pattern = path.substring(slash + 1);
    String base = slash < 0 ? "" : slash == 0 ? "/" : path.substring(0, slash);
    int depth =
        pattern.contains("**")
            ? Integer.MAX_VALUE
            : (int) pattern.chars().filter(c -> c == '/').count() + 1;
    try {
      return new Glob(base, Pattern.compile(regex(pattern)), depth);
    } catch (PatternSyntaxException e) {
      return null;
    }
  }

  private static String regex(String pattern) {
    StringBuilder regex = new StringBuilder();
    int open = 0;
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      if (pattern.startsWith("**/", i)) {
        regex.append("(?:.*/)?");
        i += 3;
        continue;
      }
      if (pattern.startsWith("**", i)) {
        regex.append(".*");
        i += 2;
        continue;
      }
      int close = c == '[' ? pattern.indexOf(']', i + 2) : -1;
      if (close > 0) {
        String inside = pattern.substring(i + 1, close).replace("\\", "\\\\").replace("[", "\\[");
        regex.append('[').append(inside.replaceFirst("^!", "^")).append("&&[^/]]");
        i = close + 1;
        continue;
      }
      switch (c) {
        case '*' -> regex.append("[^/]*");
        case '?' -> regex.append("[^/]");
        case '{' -> {
          regex.append("(?:");
          open++;
        }
        case '}' -> {
          regex.append(open > 0 ? ")" : "\\}");
          open = Math.max(0, open - 1);
        }
        case ',' -> regex.append(open > 0 ? "|" : ",");
        default -> regex.append(Pattern.quote(Character.toString(c)));
      }
      i++;
    }
    return regex.toString();
  }

  /**
   * @param name below the base, with slashes
   */
  boolean fits(String name) {
    return names.matcher(name).matches();
  }
}
