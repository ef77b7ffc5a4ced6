package dev.drover.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A finding about a route.
 *
 * @param path JSON pointer to the culprit in what was sent; empty if there is none
 * @param message what is wrong, where, with the value cut short
 * @param suggestion what to write or do instead; null if nothing is known
 * @param allowed the values that would be accepted; empty if that is not a list
 */
public record Problem(
    ErrorCode code,
    String path,
    String message,
    @Nullable String suggestion,
    List<String> allowed) {

  public Problem {
    allowed = List.copyOf(allowed);
  }

  public Problem(ErrorCode code, String path, String message) {
    this(code, path, message, null, List.of());
  }

  public Problem(ErrorCode code, String path, String message, String suggestion) {
    this(code, path, message, suggestion, List.of());
  }

  /** The same problem, found deeper in a document. */
  public Problem under(String prefix) {
    return new Problem(code, prefix + path, message, suggestion, allowed);
  }
}
