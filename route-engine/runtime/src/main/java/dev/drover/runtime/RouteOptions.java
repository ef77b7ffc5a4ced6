package dev.drover.runtime;

import dev.drover.spi.Guarantee;
import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

/**
 * What a route may say beside its endpoints. Every bound of a run is here, with its default; an
 * error that comes from a bound names it.
 */
public record RouteOptions(
    @Option("End when the input has no more rows; without it a live input goes on, others end")
        @Nullable Boolean exitOnEmpty,
    @Option(value = "Rows of a batch", defaultValue = "1024", min = 1, max = 1_000_000)
        int maxBatchRows,
    @Option(
            value = "Input that is read before it is handed on; one record may be larger",
            defaultValue = "262144",
            min = 1,
            max = 67_108_864)
        int maxBatchBytes,
    @Option(value = "Decoding workers; without it one a processor", min = 1, max = 256)
        @Nullable Integer concurrency,
    @Option(
            value = "Input that may be between reading and the answer of the output",
            defaultValue = "16777216",
            min = 1)
        long maxInFlightBytes,
    @Option(
            value = "How long rows of an input that goes on may wait to fill a batch",
            defaultValue = "10",
            max = 60_000)
        int flushIntervalMs,
    @Option(
            value = "Time between commits, where the output commits before the end",
            defaultValue = "1000",
            min = 1,
            max = 3_600_000)
        int commitIntervalMs,
    @Option(
            value = "Output that may be written between two commits",
            defaultValue = "67108864",
            min = 1)
        long maxUncommittedBytes,
    @Option(value = "Rows a second at most; 0: no limit", defaultValue = "0")
        long limitRowsPerSecond,
    @Option(value = "Input bytes a second at most; 0: no limit", defaultValue = "0")
        long limitBytesPerSecond,
    @Option(value = "Stop the run after so long; 0: never", defaultValue = "0") long maxRuntimeMs,
    @Option(
            value = "How long a stopped run may take to end",
            defaultValue = "10000",
            min = 1,
            max = 600_000)
        int stopTimeoutMs,
    @Option(
            value = "Keep a checkpoint, and go on from it if an earlier run has left one",
            defaultValue = "false")
        boolean resume,
    @Option(
            value = "Take the route up again when the server is started anew",
            defaultValue = "false")
        boolean durable,
    @Option(
            "The guarantee that must be kept, or the route is refused; without it the best there is")
        @Nullable Guarantee delivery,
    @Option(value = "Write in the order of the input's splits", defaultValue = "true")
        boolean ordered,
    @Option(value = "What to do with a row that is refused", defaultValue = "fail")
        OnReject onReject,
    @Option("Refused rows after which the run fails") @Nullable Long maxRejectedRows,
    @Option(
            value =
                "Percent of refused rows after which the run fails, once there are 1,000; without "
                    + "it 1, unless max_rejected_rows is given",
            max = 100)
        @Nullable Double maxRejectedPercent) {

  /** The value of {@code max_batch_rows} unless said otherwise. */
  public static final int DEFAULT_BATCH_ROWS = 1024;

  /** The greatest value of {@code max_batch_rows}. */
  public static final int MAX_BATCH_ROWS_LIMIT = 1_000_000;

  /** The greatest value of {@code concurrency}. */
  public static final int CONCURRENCY_LIMIT = 256;

  /** Decoding workers: one a processor unless said otherwise. */
  int workers() {
    return concurrency != null
        ? concurrency
        : Math.min(CONCURRENCY_LIMIT, Runtime.getRuntime().availableProcessors());
  }

  /** The most rows of a batch, small enough that a slow pace is an even one. */
  int batchRows() {
    long tenth = limitRowsPerSecond == 0 ? Long.MAX_VALUE : Math.max(1, limitRowsPerSecond / 10);
    return (int) Math.min(maxBatchRows, tenth);
  }

  /** The most bytes of a chunk, small enough that a slow pace is an even one. */
  int batchBytes() {
    long tenth = limitBytesPerSecond == 0 ? Long.MAX_VALUE : Math.max(1, limitBytesPerSecond / 10);
    return (int) Math.min(maxBatchBytes, tenth);
  }
}
