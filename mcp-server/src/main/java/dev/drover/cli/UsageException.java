package dev.drover.cli;

/** A command line that cannot be understood; the text says what to change. */
final class UsageException extends Exception {

  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
