package dev.drover.cli;

/** What the process ends with. Signals give 128 and their number. */
final class ExitCode {

  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  /** Done, with rows that were skipped or put aside by choice. */
  static final int REJECTED_ROWS = 3;

  static final int SIGNAL = 128;

  private ExitCode() {}
}
