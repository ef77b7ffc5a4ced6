package dev.drover.spi;

import java.util.Locale;

/**
 * The closed list of error codes. A code is stable: clients match on it. Adding one is fine,
 * renaming or removing one is a breaking change.
 */
public enum ErrorCode {
  /** An argument or option has a wrong type, value or combination. */
  INVALID_ARGUMENT(Domain.USER, false),
  /** No connector has this name. */
  UNKNOWN_CONNECTOR(Domain.USER, false),
  /** The connector has no option of this name. */
  UNKNOWN_OPTION(Domain.USER, false),
  /** A required option is not there. */
  MISSING_OPTION(Domain.USER, false),
  /** The connector cannot do what is asked of it. */
  NOT_SUPPORTED(Domain.USER, false),
  /** No format has this name, or none can be told from the file's extension. */
  UNKNOWN_FORMAT(Domain.USER, false),
  /** No run has this name. */
  UNKNOWN_ROUTE(Domain.USER, false),
  /** A run of this name is going on. */
  ROUTE_EXISTS(Domain.USER, false),
  /** A file or folder is not there. */
  FILE_NOT_FOUND(Domain.USER, false),
  /** A file may not be read or written. */
  ACCESS_DENIED(Domain.USER, false),
  /** The policy keeps this path out of reach. */
  PATH_OUTSIDE_ROOTS(Domain.USER, false),
  /** The target exists and the write mode is not to touch it. */
  FILE_EXISTS(Domain.USER, false),
  /** Source and sink are the same file. */
  SAME_FILE(Domain.USER, false),
  /** Another run is writing to the target. */
  TARGET_BUSY(Domain.USER, true),
  /** Another run has taken the checkpoint over. */
  FENCED(Domain.USER, false),

  /** A checkpoint was cut off, or is none. */
  CHECKPOINT_BROKEN(Domain.USER, false),

  /** A checkpoint, or what goes with it, is that of another route or source. */
  CHECKPOINT_MISMATCH(Domain.USER, false),

  /** The source is not what it was when the checkpoint was made. */
  SOURCE_CHANGED(Domain.USER, false),

  /** Somebody else has changed what the run has written. */
  TARGET_CHANGED(Domain.USER, false),

  /**
   * More rows were refused than {@code max_rejected_rows} or {@code max_rejected_percent} allow.
   */
  TOO_MANY_REJECTED(Domain.USER, false),

  /** Bytes that are no text in the encoding. */
  INVALID_ENCODING(Domain.USER, false),
  /** Compressed bytes that are cut off, or not what their checksum says. */
  CORRUPT_INPUT(Domain.USER, false),
  /** A record that is no JSON object, or not well-formed. */
  INVALID_JSON(Domain.USER, false),

  /** A value that does not fit the type, or the rule, that a transform or the target has for it. */
  INVALID_VALUE(Domain.USER, false),
  /** A transform names a field that the rows do not have. */
  UNKNOWN_FIELD(Domain.USER, false),

  /** A row has more or fewer fields than the header. */
  RAGGED_ROW(Domain.USER, false),
  /** A file has other columns than the first one that is read with it. */
  HEADER_MISMATCH(Domain.USER, false),
  /** Quotes that do not follow the format's rules. */
  BAD_QUOTING(Domain.USER, false),
  /** Something is larger than a limit; the text names the limit. */
  LIMIT_EXCEEDED(Domain.USER, false),
  /** Reading or writing failed in the operating system. */
  IO_ERROR(Domain.EXTERNAL, true),
  /** Who was to take the rows has gone away. */
  TARGET_CLOSED(Domain.EXTERNAL, false),
  /** No space is left on the device. */
  DISK_FULL(Domain.EXTERNAL, false),
  /** The process ran out of memory for this run. */
  OUT_OF_MEMORY(Domain.EXTERNAL, false),
  /** Something did not end in time. */
  TIMEOUT(Domain.EXTERNAL, true),
  /** A fault in Drover itself. */
  INTERNAL(Domain.INTERNAL, false);

  /** Whose fault an error is. */
  public enum Domain {
    USER,
    EXTERNAL,
    INTERNAL
  }

  private final Domain domain;
  private final boolean retriable;

  ErrorCode(Domain domain, boolean retriable) {
    this.domain = domain;
    this.retriable = retriable;
  }

  public Domain domain() {
    return domain;
  }

  /** Whether the same call may succeed later without a change. */
  public boolean retriable() {
    return retriable;
  }

  /** The code as clients see it, lower snake case. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
