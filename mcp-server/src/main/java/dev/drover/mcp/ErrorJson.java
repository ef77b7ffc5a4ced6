package dev.drover.mcp;

import dev.drover.spi.Problem;
import java.util.List;

/** Writes the error document: every problem with its place, and a call that works. */
final class ErrorJson {

  /** The most problems that are shown. */
  static final int MAX_PROBLEMS = 10;

  /** The most accepted values that are shown for a problem. */
  static final int MAX_ALLOWED = 12;

  private ErrorJson() {}

  /**
   * @param problems at least one
   * @param example an example call as JSON; empty: none would help
   */
  static void write(JsonWriter json, List<Problem> problems, String example) {
    Problem first = problems.getFirst();
    json.beginObject().key("error").beginObject();
    json.field("code", first.code().wire());
    json.field(
        "message",
        problems.size() == 1
            ? first.message()
            : "%d problems; the first: %s".formatted(problems.size(), first.message()));
    json.key("problems").beginArray();
    problems.stream().limit(MAX_PROBLEMS).forEach(problem -> write(json, problem));
    json.endArray();
    if (!example.isEmpty()) {
      json.key("example").raw(example);
    }
    json.field("retryable", problems.stream().allMatch(problem -> problem.code().retriable()));
    json.endObject().endObject();
  }

  private static void write(JsonWriter json, Problem problem) {
    json.beginObject();
    json.field("code", problem.code().wire());
    json.field("path", problem.path());
    json.field("message", problem.message());
    if (problem.suggestion() != null) {
      json.field("suggestion", problem.suggestion());
    }
    if (!problem.allowed().isEmpty()) {
      json.key("allowed").beginArray();
      problem.allowed().stream().limit(MAX_ALLOWED).forEach(json::value);
      json.endArray();
    }
    json.endObject();
  }
}
