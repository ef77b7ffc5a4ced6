package dev.drover.spi;

/**
 * A row that was refused for its content.
 *
 * @param record its place among the records of the chunk, from 1; 0 if unknown
 * @param line its place among the lines of the chunk, from 1; 0 if unknown
 * @param column the place in the line, in code points from 1; 0 if unknown
 * @param message what is wrong, without the place
 */
public record RejectedRow(ErrorCode code, long record, long line, int column, String message) {}
