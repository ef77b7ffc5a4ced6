package dev.drover.bench.client;

import java.io.IOException;
import java.io.Serial;

/** The server did not answer as the protocol or the caller expects; the message says what came. */
public final class McpException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  McpException(String message) {
    super(message);
  }
}
