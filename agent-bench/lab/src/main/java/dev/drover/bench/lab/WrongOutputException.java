package dev.drover.bench.lab;

import java.io.IOException;
import java.io.Serial;

/** A measured job did not do its work, so that its time means nothing. */
final class WrongOutputException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  WrongOutputException(String message) {
    super(message);
  }
}
