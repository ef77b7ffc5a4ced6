package dev.drover.bench.lab.faults;

/**
 * A kill that was done.
 *
 * @param where in words: a named point, or when
 * @param inside between the first read and the last commit
 * @param atPoint at a named point of writing and committing, those of the end not among them
 * @param tenth how much of the rows was there, in tenths, from 0 to 9
 */
record Kill(String where, boolean inside, boolean atPoint, int tenth) {

  static final String AT_RANDOM = "at a random instant";
  static final String BEFORE_READING = "before the first read";
  static final String AFTER_LAST_COMMIT = "after the last commit, at a random instant";
}
