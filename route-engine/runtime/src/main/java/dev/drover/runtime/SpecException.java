package dev.drover.runtime;

import dev.drover.spi.Problem;
import java.util.List;

/** A route that cannot be run as written. Holds every problem that was found, at least one. */
public final class SpecException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public SpecException(List<Problem> problems) {
    super(problems.getFirst().message());
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
