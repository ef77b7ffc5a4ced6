package dev.drover.spi;

/**
 * An independently readable part of a source: a file, a range of a table, a partition.
 *
 * @param id names it within the source, the same in every run; shown to users
 */
public record Split(String id) {

  // Written out here, in Schema and in Field: the JVM would make them anew in each process, while
  // the
  // first rows wait.
  @Override
  public boolean equals(Object other) {
    return other instanceof Split split && id.equals(split.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}
