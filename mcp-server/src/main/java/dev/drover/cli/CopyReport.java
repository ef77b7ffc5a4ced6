package dev.drover.cli;

import dev.drover.mcp.RunDocuments;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.spi.Destination;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.List;
import java.util.Set;

/**
 * Says how a copy ended: the result on standard output, what went wrong on standard error. With
 * {@code --json} the result is one document, the same that an agent gets, whatever the end.
 */
final class CopyReport {

  /** What is wrong with the world, not with the command line. */
  private static final Set<ErrorCode> NOT_USAGE =
      Set.of(
          ErrorCode.FILE_NOT_FOUND,
          ErrorCode.FILE_EXISTS,
          ErrorCode.ACCESS_DENIED,
          ErrorCode.TARGET_BUSY,
          ErrorCode.CHECKPOINT_BROKEN,
          ErrorCode.CHECKPOINT_MISMATCH,
          ErrorCode.SOURCE_CHANGED,
          ErrorCode.TARGET_CHANGED,
          ErrorCode.INVALID_ENCODING,
          ErrorCode.RAGGED_ROW,
          ErrorCode.BAD_QUOTING,
          ErrorCode.LIMIT_EXCEEDED);

  private final Streams streams;
  private final boolean json;

  CopyReport(Streams streams, boolean json) {
    this.streams = streams;
    this.json = json;
  }

  /** Nothing was started. Returns the exit code. */
  int refused(List<Problem> problems) {
    if (json) {
      streams.out().println(RunDocuments.error(problems));
    }
    StringBuilder text = new StringBuilder("drover: ");
    if (problems.size() > 1) {
      text.append("%d problems:%n".formatted(problems.size()));
    }
    for (Problem problem : problems) {
      text.append(problems.size() > 1 ? "  " : "");
      append(text, problem, problems.size() > 1 ? "    " : "  ");
    }
    streams.err().print(text);
    boolean usage =
        problems.stream()
            .anyMatch(
                problem ->
                    problem.code().domain() == ErrorCode.Domain.USER
                        && !NOT_USAGE.contains(problem.code()));
    return usage ? ExitCode.USAGE : ExitCode.FAILED;
  }

  private static void append(StringBuilder text, Problem problem, String indent) {
    String part = part(problem.path());
    text.append(part).append(part.isEmpty() ? "" : ": ").append(problem.message());
    text.append(" (").append(problem.code().wire()).append(")\n");
    if (problem.suggestion() != null) {
      text.append(indent).append(problem.suggestion()).append('\n');
    }
    boolean shown = problem.message().contains(String.join(", ", problem.allowed()));
    if (!problem.allowed().isEmpty() && !shown) {
      text.append(indent).append("allowed: ").append(String.join(", ", problem.allowed()));
      text.append('\n');
    }
  }

  /** The argument that a place in the route comes from. */
  private static String part(String path) {
    int end = path.indexOf('/', 1);
    String first = end < 0 ? path : path.substring(0, end);
    return switch (first) {
      case "" -> "";
      case "/input" -> "SOURCE";
      case "/output" -> "TARGET";
      case "/dead_letter" -> "--dead-letter";
      default -> "--" + first.substring(1).replace('_', '-');
    };
  }

  /**
   * The run has ended.
   *
   * @param signal the number of the signal that stopped it; 0: none did
   * @return the exit code
   */
  int ended(RunStatus status, int signal) {
    status.warnings().forEach(warning -> streams.err().println("drover: warning: " + warning));
    if (json) {
      streams.out().println(RunDocuments.status(status));
    }
    if (status.state() == RunState.COMPLETED) {
      if (!json) {
        streams.out().println(summary(status));
      }
      return status.rejected() > 0 ? ExitCode.REJECTED_ROWS : ExitCode.DONE;
    }
    Problem error = status.error();
    StringBuilder text = new StringBuilder("drover: ");
    if (error != null) {
      text.append("the copy failed");
      text.append(status.stage() == null ? ": " : " (" + status.stage() + "): ");
      append(text, error, "  ");
    } else {
      text.append("stopped after %s rows\n".formatted(Figures.count(status.messages())));
    }
    text.append(committed(status));
    streams.err().print(text);
    return signal != 0 && error == null ? ExitCode.SIGNAL + signal : ExitCode.FAILED;
  }

  private static String committed(RunStatus status) {
    if (!status.checkpointId().isEmpty()) {
      return "  %s rows were committed; the same copy with --resume goes on after them\n"
          .formatted(Figures.count(status.committed()));
    }
    return status.committed() == 0
        ? "  no row was committed; what the target held before is still there\n"
        : "  %s rows were committed\n".formatted(Figures.count(status.committed()));
  }

  static String summary(RunStatus status) {
    StringBuilder text = new StringBuilder("copied ");
    text.append(Figures.count(status.messages())).append(" rows");
    if (status.rejected() > 0) {
      text.append(status.deadLettered() > 0 ? ", dead-lettered " : ", skipped ");
      text.append(Figures.count(status.rejected())).append(',');
    }
    if (status.filtered() > 0) {
      text.append(status.rejected() > 0 ? " filtered " : ", filtered ");
      text.append(Figures.count(status.filtered())).append(',');
    }
    text.append(" in ").append(Figures.duration(status.elapsedNanos()));
    text.append(" (").append(Figures.count(Math.round(status.averageMessagesPerSecond())));
    text.append(" rows/s, ").append(Figures.megabytes(status.bytesIn())).append(" in, ");
    text.append(Figures.megabytes(status.bytesOut())).append(" out)");
    Destination destination = status.destination();
    if (destination != null) {
      text.append(destination.replaced() ? ", replaced " : " to ").append(destination.location());
    }
    return text.toString();
  }
}
