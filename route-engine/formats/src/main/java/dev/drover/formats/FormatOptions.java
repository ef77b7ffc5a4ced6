package dev.drover.formats;

/**
 * How a file is read. What is null takes the format's default.
 *
 * @param format a name of {@link Formats#sources()}
 * @param csv how CSV is read; without options for other formats
 * @param maxRecordBytes what a record may have at most, from 1 to {@link #LARGEST_RECORD_BYTES}
 * @param maxDepth how deep JSON may be nested, from 1
 * @param maxBatchRows rows a batch may have at most, from 1
 */
public record FormatOptions(
    String format, CsvOptions csv, int maxRecordBytes, int maxDepth, int maxBatchRows) {

  /** Default of {@code max_record_bytes}: 64 MiB. */
  public static final int DEFAULT_MAX_RECORD_BYTES = 64 << 20;

  /** What {@code max_record_bytes} may be at most: 256 MiB. */
  public static final int LARGEST_RECORD_BYTES = 256 << 20;

  /** Default of {@code max_depth}. */
  public static final int DEFAULT_MAX_DEPTH = 1000;

  /** Default of {@code max_batch_rows}. */
  public static final int DEFAULT_MAX_BATCH_ROWS = 1024;

  /** A format with its defaults. */
  public static FormatOptions of(String format) {
    return new FormatOptions(
        format,
        CsvOptions.DEFAULTS,
        DEFAULT_MAX_RECORD_BYTES,
        DEFAULT_MAX_DEPTH,
        DEFAULT_MAX_BATCH_ROWS);
  }

  /** The same with another batch size. */
  public FormatOptions withMaxBatchRows(int rows) {
    return new FormatOptions(format, csv, maxRecordBytes, maxDepth, rows);
  }
}
