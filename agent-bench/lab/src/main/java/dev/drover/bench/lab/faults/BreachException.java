package dev.drover.bench.lab.faults;

import java.io.Serial;

/** A promise was not kept. */
final class BreachException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  BreachException(String message) {
    super(message);
  }
}
