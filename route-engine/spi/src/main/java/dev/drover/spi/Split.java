package dev.drover.spi;

/**
 * An independently readable part of a source: a file, a range of a table, a partition.
 *
 * @param id names it within the source, the same in every run; shown to users
 */
public record Split(String id) {}
