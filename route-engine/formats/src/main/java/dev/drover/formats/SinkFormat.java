package dev.drover.formats;

import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

/**
 * How rows are written: options that any connector that writes files, or the like, takes among its
 * own. Those of CSV are refused where another format is written.
 */
public record SinkFormat(
    @Option("How rows are written; without it the file's extension decides")
        @Nullable String format,
    @Option("CSV: the character between fields; without it a comma, or a tab for .tsv")
        @Nullable String delimiter,
    @Option("CSV: whether the first line names the columns; without it true")
        @Nullable Boolean header,
    @Option("CSV: what stands for null; without it nothing, and empty text is written \"\"")
        @Nullable String nullText,
    @Option("CSV: what ends a line; without it lf") @Nullable LineEnd lineEnd,
    @Option("CSV: what to do when rows have a column that the header lacks; without it error")
        @Nullable OnMismatch onMismatch,
    @Option("CSV: what becomes of documents; without it json") @Nullable Nested nested) {

  /** What ends a line. */
  public enum LineEnd {
    LF,
    CRLF
  }

  /** What to do with a column that comes after the header was written. */
  public enum OnMismatch {
    /** The run fails. */
    ERROR,
    /** Only the columns of the header are written. */
    BY_NAME
  }

  /** What becomes of objects. */
  public enum Nested {
    /** Their text is written. */
    JSON,
    /** Their keys become columns, {@code a.b}; arrays are written as text. */
    FLATTEN
  }

  /** A format and nothing else. */
  public static SinkFormat of(String format) {
    return new SinkFormat(format, null, null, null, null, null, null);
  }

  /** The same under another name of a format. */
  public SinkFormat withFormat(String name) {
    return new SinkFormat(name, delimiter, header, nullText, lineEnd, onMismatch, nested);
  }

  /** The first option of CSV that is given; null if none is. */
  @Nullable String firstOfCsv() {
    if (delimiter != null) {
      return "delimiter";
    } else if (header != null) {
      return "header";
    } else if (nullText != null) {
      return "null_text";
    } else if (lineEnd != null) {
      return "line_end";
    } else if (onMismatch != null) {
      return "on_mismatch";
    }
    return nested != null ? "nested" : null;
  }
}
