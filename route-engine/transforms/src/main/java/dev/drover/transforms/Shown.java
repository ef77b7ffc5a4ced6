package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Type;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How values and names stand in messages: short, on one line. */
final class Shown {

  private static final int LENGTH = 40;
  private static final int BYTES = 4 * LENGTH;
  private static final int NAMES = 10;

  private Shown() {}

  static String cut(String text) {
    int[] points = text.codePoints().limit(LENGTH + 1L).map(c -> c < ' ' ? ' ' : c).toArray();
    return points.length > LENGTH
        ? new String(points, 0, LENGTH) + "…"
        : new String(points, 0, points.length);
  }

  static String value(byte[] arena, int from, int length) {
    return cut(new String(arena, from, Math.min(length, BYTES), UTF_8));
  }

  static String type(Type type) {
    return switch (type) {
      case STRING -> "text";
      case INT64 -> "an integer";
      case DECIMAL, FLOAT32, FLOAT64 -> "a number";
      case BOOL -> "a boolean";
      default -> type.name().toLowerCase(Locale.ROOT);
    };
  }

  static String names(List<String> names) {
    String shown = names.stream().limit(NAMES).map(Shown::cut).collect(Collectors.joining(", "));
    return names.size() > NAMES ? shown + ", … (%d in all)".formatted(names.size()) : shown;
  }
}
