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
import java.util.Collections;
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
      refuse(
          CsvText.encoding(block, from, invalid, 0, line)
              .withSuggestion(CsvAdvice.encoding(block[invalid])));
    }
    for (int i = from; i < to; i++) {
      if (block[i] == 0) {
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_ENCODING,
                "",
                "line %d (header): there are bytes of value 0, as in UTF-16".formatted(line),
                CsvAdvice.wideEncoding(block, from)));
      }
    }
    refuse(CsvText.quoting(block, from, to, dialect, 0, line, null));
    return schema(names(block, from, to, dialect), dialect, line, warn);
  }

  /** The schema of a file whose header has these names. */
  static Schema schema(List<String> names, CsvDialect dialect, long line, Consumer<Problem> warn) {
    List<String> given = dialect.columns();
    if (given != null && given.size() != names.size()) {
      throw new DroverException(
          new Problem(
              ErrorCode.HEADER_MISMATCH,
              "/columns",
              "line %d (header): there are %d columns, and `columns` names %d"
                  .formatted(line, names.size(), given.size()),
              "name as many, or leave out `columns`"));
    }
    if (given == null && names.size() == 1) {
      warnOfDelimiter(names.getFirst(), dialect, warn);
    }
    return ofTexts(unique(given == null ? names : given));
  }

  /**
   * The schema of a file without a header.
   *
   * @param fields how many its first record has
   */
  static Schema withoutHeader(int fields, CsvDialect dialect) {
    List<String> given = dialect.columns();
    return ofTexts(unique(given == null ? Collections.nCopies(fields, "") : given));
  }

  private static Schema ofTexts(List<String> names) {
    return new Schema(names.stream().map(name -> new Field(name, Type.STRING)).toList());
  }

  private static void refuse(@Nullable RejectedRow fault) {
    if (fault != null) {
      throw new DroverException(
          new Problem(
              fault.code(),
              "",
              "line %d, column %d (header): %s"
                  .formatted(fault.line(), fault.column(), fault.message()),
              fault.suggestion(),
              List.of()));
    }
  }

  private static List<String> names(byte[] block, int from, int to, CsvDialect dialect) {
    List<String> names = new ArrayList<>();
    String quote = Character.toString((char) dialect.quote());
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
        String separatorLine = CsvAdvice.separatorLine(name, dialect);
        warn.accept(
            new Problem(
                ErrorCode.INVALID_ARGUMENT,
                "/delimiter",
                "the header has one column, and its name holds `%s`: %s"
                    .formatted(shown, shorten(name)),
                separatorLine == null
                    ? "set `delimiter` to \"%s\" if that is it".formatted(shown)
                    : separatorLine));
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
