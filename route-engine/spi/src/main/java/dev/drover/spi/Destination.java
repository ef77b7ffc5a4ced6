package dev.drover.spi;

/**
 * Where the rows of a finished run are.
 *
 * @param location in the system's own terms: an absolute path, a table, a topic
 * @param replaced whether something was there before and is now gone
 */
public record Destination(String location, boolean replaced) {}
