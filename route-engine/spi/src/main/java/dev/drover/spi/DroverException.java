package dev.drover.spi;

import org.jspecify.annotations.Nullable;

/**
 * A failure that somebody can act on. Its text is shown to users and models: it names the thing,
 * the place and the value (cut short), never a secret and never a Java class.
 */
public final class DroverException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public DroverException(Problem problem) {
    this(problem, null);
  }

  public DroverException(Problem problem, @Nullable Throwable cause) {
    super(problem.message(), cause);
    this.problem = problem;
  }

  public DroverException(ErrorCode code, String message) {
    this(new Problem(code, "", message), null);
  }

  public DroverException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(new Problem(code, "", message), cause);
  }

  public Problem problem() {
    return problem;
  }

  public ErrorCode code() {
    return problem.code();
  }
}
