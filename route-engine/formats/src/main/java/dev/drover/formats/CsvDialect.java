package dev.drover.formats;

/**
 * How a CSV file is written. Both characters are ASCII, no line ends, and not the same.
 *
 * @param maxRecordBytes what a record may have at most, its line end not counted
 * @param maxBatchRows rows a batch may have at most
 */
record CsvDialect(byte delimiter, byte quote, int maxRecordBytes, int maxBatchRows) {}
