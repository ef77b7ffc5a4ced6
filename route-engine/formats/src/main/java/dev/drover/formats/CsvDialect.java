package dev.drover.formats;

import dev.drover.formats.CsvOptions.OnRagged;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a CSV file is written and read. Characters are ASCII, no line ends, and differ.
 *
 * @param delimiter {@link #AUTO} until the first line has told it
 * @param quote {@link #NONE} if nothing encloses fields
 * @param escape {@link #NONE} if no character takes the meaning from the next
 * @param comment {@link #NONE} if there are no lines to leave out
 * @param header whether the first record names the columns
 * @param columns the names of the columns; null to take those of the header, or to make some up
 * @param skipRows lines before the header
 * @param nullText what stands for null where it is not in quotes; null: nothing
 * @param maxRecordBytes what a record may have at most, its line end not counted
 * @param maxFieldBytes what a field may have at most
 * @param maxBatchRows rows a batch may have at most
 */
record CsvDialect(
    byte delimiter,
    int quote,
    int escape,
    int comment,
    boolean header,
    @Nullable List<String> columns,
    int skipRows,
    @Nullable String nullText,
    boolean trim,
    OnRagged onRagged,
    int maxRecordBytes,
    int maxFieldBytes,
    int maxBatchRows) {

  /** The delimiter is not known yet. */
  static final byte AUTO = 0;

  /** No byte. */
  static final int NONE = 256;

  CsvDialect withDelimiter(byte found) {
    return new CsvDialect(
        found,
        quote,
        escape,
        comment,
        header,
        columns,
        skipRows,
        nullText,
        trim,
        onRagged,
        maxRecordBytes,
        maxFieldBytes,
        maxBatchRows);
  }

  /** What says how many fields a row has, in words. */
  String rule() {
    return columns != null ? "`columns`" : header ? "the header" : "the first row";
  }

  /** Whether the fast reader cannot read it. */
  boolean isUnusual() {
    return escape != NONE || comment != NONE || trim;
  }

  /** Whether a row with so many fields is taken although there are as many columns. */
  boolean repairs(int fields, int columns) {
    return switch (onRagged) {
      case ERROR -> false;
      case PAD -> fields < columns;
      case FIT -> true;
    };
  }
}
