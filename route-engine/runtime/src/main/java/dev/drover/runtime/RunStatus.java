package dev.drover.runtime;

import dev.drover.spi.Destination;
import dev.drover.spi.Guarantee;
import dev.drover.spi.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consistent picture of a run.
 *
 * @param messages rows whose write the sink has answered; never goes down
 * @param committed rows covered by the last commit
 * @param rejected rows refused for their content
 * @param retried rows that were sent to the sink again
 * @param deadLettered refused rows that were stored in the dead letter sink
 * @param filtered rows that a filter left out; those of a replay again
 * @param bytesIn bytes of input read
 * @param bytesOut bytes whose write the sink has answered
 * @param totalBytes bytes there are to read, -1 if unknown
 * @param elapsedNanos from the first read to the last answered write, or until now while none is
 *     answered; the same on every call once the run has ended
 * @param messagesPerSecond over about the last second; 0 once the run has ended
 * @param guarantee what the route promises for each row
 * @param checkpointId names the run's checkpoint; empty if it has none
 * @param resumed whether the run goes on where an earlier one ended
 * @param error why the run failed; null if it did not
 * @param stage where it failed: read, decode, transform, encode, write, commit; null if it did not
 * @param destination where the rows are, once the run has completed
 * @param warnings oddities that lost nothing, the first few
 */
public record RunStatus(
    String name,
    RunState state,
    long messages,
    long committed,
    long rejected,
    long retried,
    long deadLettered,
    long filtered,
    long bytesIn,
    long bytesOut,
    long totalBytes,
    long elapsedNanos,
    double messagesPerSecond,
    Guarantee guarantee,
    String checkpointId,
    boolean resumed,
    @Nullable Problem error,
    @Nullable String stage,
    @Nullable Destination destination,
    List<String> warnings) {

  /** Whether the run has ended, well or not. */
  public boolean finished() {
    return state.isFinal();
  }

  public double elapsedSeconds() {
    return elapsedNanos / 1e9;
  }

  /** Rows a second over the whole run; 0 before the first. */
  public double averageMessagesPerSecond() {
    return elapsedNanos <= 0 ? 0 : messages * 1e9 / elapsedNanos;
  }
}
