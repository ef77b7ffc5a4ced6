package dev.drover.formats;

import dev.drover.spi.Option;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How CSV is read: options that any connector that reads files, or the like, takes among its own.
 * They are refused where another format is read. What is null takes its default.
 *
 * <p>A delimiter and a quote of one byte, quotes that are doubled to stand for themselves and
 * everything else but {@code escape}, {@code comment} and {@code trim} are read by the fast reader;
 * those three are left to Apache Commons CSV.
 */
public record CsvOptions(
    @Option(
            "CSV: the character between fields, or auto to go by the first line; without it a"
                + " comma, or a tab for .tsv")
        @Nullable String delimiter,
    @Option("CSV: the character that may enclose a field, or none; without it a double quote")
        @Nullable String quote,
    @Option("CSV: the character that takes its meaning from the one behind it")
        @Nullable String escape,
    @Option("CSV: the character with which lines begin that are left out") @Nullable String comment,
    @Option("CSV: whether the first line names the columns; without it true")
        @Nullable Boolean header,
    @Option("CSV: names of the columns, in place of those in the header")
        @Nullable List<String> columns,
    @Option(
            "CSV: the encoding, such as windows-1252; without it UTF-8, or UTF-16 where the first"
                + " bytes say so")
        @Nullable String encoding,
    @Option(value = "CSV: lines to leave out before the header; without it 0", min = 0)
        @Nullable Integer skipRows,
    @Option("CSV: what stands for null where it is not in quotes") @Nullable String nullText,
    @Option("CSV: whether blanks around fields are left out; without it false")
        @Nullable Boolean trim,
    @Option("CSV: what to do with a row of more or fewer fields; without it error")
        @Nullable OnRagged onRagged,
    @Option(value = "CSV: how long a field may be; without it as a record", min = 1)
        @Nullable Integer maxFieldBytes) {

  /** What to do with rows that have more or fewer fields than there are columns. */
  public enum OnRagged {
    /** They are refused. */
    ERROR,
    /** Those that are too short get empty fields; longer ones are refused. */
    PAD,
    /** Those that are too short get empty fields; what longer ones have too much is dropped. */
    FIT
  }

  /** The word for a delimiter that the first line tells. */
  static final String AUTO = "auto";

  /** The word for no quote. */
  static final String NONE = "none";

  /** No option at all. */
  public static final CsvOptions DEFAULTS =
      new CsvOptions(null, null, null, null, null, null, null, null, null, null, null, null);

  /** The defaults with a delimiter and a quote. */
  public static CsvOptions of(@Nullable String delimiter, @Nullable String quote) {
    return new CsvOptions(
        delimiter, quote, null, null, null, null, null, null, null, null, null, null);
  }

  /** The first option that is given; null if none is. */
  @Nullable String first() {
    if (delimiter != null) {
      return "delimiter";
    } else if (quote != null) {
      return "quote";
    } else if (escape != null) {
      return "escape";
    } else if (comment != null) {
      return "comment";
    } else if (header != null) {
      return "header";
    } else if (columns != null) {
      return "columns";
    } else if (encoding != null) {
      return "encoding";
    } else if (skipRows != null) {
      return "skip_rows";
    } else if (nullText != null) {
      return "null_text";
    } else if (trim != null) {
      return "trim";
    } else if (onRagged != null) {
      return "on_ragged";
    }
    return maxFieldBytes != null ? "max_field_bytes" : null;
  }
}
