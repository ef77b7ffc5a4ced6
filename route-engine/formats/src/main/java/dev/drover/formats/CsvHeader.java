package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The first record of a CSV file, which names the fields. */
final class CsvHeader {

  private static final String OTHER_DELIMITERS = ";\t|";

  private CsvHeader() {}

  /**
   * The schema that a header stands for: all fields are text, a name that is there already gets the
   * next free number behind it, an empty one becomes {@code column} and its index.
   *
   * @param line the line of the header, from 1
   * @throws DroverException if it is not well-formed; the place is in the text
   */
  static Schema read(
      byte[] block, int from, int to, CsvDialect dialect, long line, Consumer<Problem> warn) {
    int invalid = Utf8.firstInvalid(block, from, to);
    if (invalid >= 0) {
      refuse(CsvText.encoding(block, from, invalid, 0, line));
    }
    refuse(CsvText.quoting(block, from, to, dialect, 0, line));
    List<String> names = unique(names(block, from, to, dialect));
    if (names.size() == 1) {
      warnOfDelimiter(names.getFirst(), dialect, warn);
    }
    return new Schema(names.stream().map(name -> new Field(name, Type.STRING)).toList());
  }

  private static void refuse(@Nullable RejectedRow fault) {
    if (fault != null) {
      throw new DroverException(
          fault.code(),
          "line %d, column %d (header): %s"
              .formatted(fault.line(), fault.column(), fault.message()));
    }
  }

  private static List<String> names(byte[] block, int from, int to, CsvDialect dialect) {
    List<String> names = new ArrayList<>();
    String quote = Character.toString(dialect.quote());
    int start = from;
    boolean quoted = from < to && block[from] == dialect.quote();
    boolean inside = quoted;
    for (int i = from; i <= to; i++) {
      if (i < to && quoted && i > start && block[i] == dialect.quote()) {
        inside = !inside;
      } else if (i == to || (!inside && block[i] == dialect.delimiter())) {
        names.add(
            quoted
                ? new String(block, start + 1, i - start - 2, UTF_8).replace(quote + quote, quote)
                : new String(block, start, i - start, UTF_8));
        start = i + 1;
        quoted = start < to && block[start] == dialect.quote();
        inside = quoted;
      }
    }
    return names;
  }

  private static List<String> unique(List<String> names) {
    Set<String> used = new LinkedHashSet<>();
    for (int i = 0; i < names.size(); i++) {
      String wanted = names.get(i).isEmpty() ? "column" + i : names.get(i);
      String name = wanted;
      for (int number = 1; !used.add(name); number++) {
        name = wanted + "_" + number;
      }
    }
    return List.copyOf(used);
  }

  private static void warnOfDelimiter(String name, CsvDialect dialect, Consumer<Problem> warn) {
    for (int i = 0; i < OTHER_DELIMITERS.length(); i++) {
      char other = OTHER_DELIMITERS.charAt(i);
      if (name.indexOf(other) >= 0 && other != dialect.delimiter()) {
        String shown = other == '\t' ? "\\t" : Character.toString(other);
        warn.accept(
            new Problem(
                ErrorCode.INVALID_ARGUMENT,
                "/delimiter",
                "the header has one column, and its name holds `%s`: %s"
                    .formatted(shown, shorten(name)),
                "if that is the delimiter, set `delimiter` to \"%s\"".formatted(shown)));
        return;
      }
    }
  }

  private static String shorten(String name) {
    int[] points = name.codePoints().limit(60).map(c -> c < ' ' ? ' ' : c).toArray();
    String shown = new String(points, 0, points.length);
    return shown.length() < name.length() ? shown + "…" : shown;
  }
}
