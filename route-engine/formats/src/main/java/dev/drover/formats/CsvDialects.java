package dev.drover.formats;

import dev.drover.formats.CsvOptions.OnRagged;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the dialect that options ask for, and checks them. */
final class CsvDialects {

  private CsvDialects() {}

  /**
   * @param options of {@code csv} or {@code tsv}
   * @throws DroverException if an option has a value that cannot be; its path is the option's
   */
  static CsvDialect of(FormatOptions options) {
    CsvOptions csv = options.csv();
    boolean tsv = options.format().equalsIgnoreCase("tsv");
    byte delimiter =
        CsvOptions.AUTO.equals(csv.delimiter())
            ? CsvDialect.AUTO
            : character("/delimiter", csv.delimiter(), tsv ? '\t' : ',');
    int quote =
        CsvOptions.NONE.equals(csv.quote())
            ? CsvDialect.NONE
            : character("/quote", csv.quote(), '"');
    int escape = csv.escape() == null ? CsvDialect.NONE : character("/escape", csv.escape(), ' ');
    int comment =
        csv.comment() == null ? CsvDialect.NONE : character("/comment", csv.comment(), ' ');
    checkDistinct("/quote", "quote", quote, "delimiter", delimiter);
    checkDistinct("/escape", "escape", escape, "delimiter", delimiter);
    checkDistinct("/comment", "comment", comment, "delimiter", delimiter);
    checkDistinct("/comment", "comment", comment, "quote", quote);
    checkDistinct("/comment", "comment", comment, "escape", escape);
    Transcoder.charset(csv.encoding());
    checkColumns(csv.columns());
    return new CsvDialect(
        delimiter,
        quote,
        // A quote that is its own escape is one that is doubled.
        escape == quote ? CsvDialect.NONE : escape,
        comment,
        !Boolean.FALSE.equals(csv.header()),
        csv.columns(),
        Objects.requireNonNullElse(csv.skipRows(), 0),
        csv.nullText(),
        Boolean.TRUE.equals(csv.trim()),
        Objects.requireNonNullElse(csv.onRagged(), OnRagged.ERROR),
        options.maxRecordBytes(),
        Objects.requireNonNullElse(csv.maxFieldBytes(), options.maxRecordBytes()),
        options.maxBatchRows());
  }

  private static void checkColumns(@Nullable List<String> columns) {
    if (columns != null && columns.isEmpty()) {
      throw invalid("/columns", "there is no name in it");
    }
  }

  private static void checkDistinct(String path, String one, int b, String other, int c) {
    if (b == c && b != CsvDialect.NONE) {
      throw invalid(path, other + " and " + one + " are the same character");
    }
  }

  /** The ASCII character that an option stands for. */
  static byte character(String path, @Nullable String value, char byDefault) {
    if (value == null) {
      return (byte) byDefault;
    }
    String text = value.equals("\\t") ? "\t" : value;
    if (text.length() != 1
        || text.charAt(0) > 0x7e
        || text.charAt(0) == '\n'
        || text.charAt(0) == '\r'
        || text.charAt(0) == 0) {
      throw invalid(path, "`%s` is not one ASCII character".formatted(shorten(value)));
    }
    return (byte) text.charAt(0);
  }

  private static String shorten(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private static DroverException invalid(String path, String message) {
    return new DroverException(new Problem(ErrorCode.INVALID_ARGUMENT, path, message));
  }
}
