package dev.drover.spi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A row that was refused for its content.
 *
 * @param record its place among the records of the chunk, or of the write, from 1; 0 if unknown
 * @param line its place among the lines of the chunk, from 1; 0 if unknown
 * @param column the place in the line, in code points from 1; 0 if unknown
 * @param message what is wrong, without the place
 * @param suggestion what to do about it, to be done by whoever wrote the route; null if there is no
 *     way that is better than others
 * @param row the row as it was read or was to be written, for the dead letter: a copy; null where
 *     nothing keeps it
 */
public record RejectedRow(
    ErrorCode code,
    long record,
    long line,
    int column,
    String message,
    @Nullable String suggestion,
    @Nullable ByteBuffer row) {

  public RejectedRow(ErrorCode code, long record, long line, int column, String message) {
    this(code, record, line, column, message, null, null);
  }

  /** The same with another suggestion. */
  public RejectedRow withSuggestion(@Nullable String other) {
    return new RejectedRow(code, record, line, column, message, other, row);
  }

  /** The same with the bytes of the row, which are copied. */
  public RejectedRow withRow(byte[] bytes, int from, int to) {
    ByteBuffer copy = ByteBuffer.allocate(to - from).put(bytes, from, to - from).flip();
    return new RejectedRow(
        code, record, line, column, message, suggestion, copy.asReadOnlyBuffer());
  }
}
