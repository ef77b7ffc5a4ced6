package dev.drover.runtime;

import dev.drover.spi.Problem;
import org.jspecify.annotations.Nullable;

/** What ends the work of a run: what went wrong, and where. */
final class StageFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final Stage stage;
  private final transient @Nullable Problem problem;

  StageFailure(Stage stage, Throwable cause) {
    super(cause);
    this.stage = stage;
    this.problem = null;
  }

  StageFailure(Stage stage, Problem problem) {
    super(problem.message());
    this.stage = stage;
    this.problem = problem;
  }

  Stage stage() {
    return stage;
  }

  /** The finding if there is one; else the cause says more. */
  @Nullable Problem problem() {
    return problem;
  }

  /** Whether it may help to do the same again. */
  boolean mayPass() {
    Throwable cause = getCause();
    return cause != null && RetryPolicy.mayPass(cause);
  }
}
