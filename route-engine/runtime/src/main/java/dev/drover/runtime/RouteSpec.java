package dev.drover.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A route as it was asked for, checked and complete: the options are bound to the connectors' own
 * records.
 *
 * @param name names the run; null: the engine makes one up
 * @param exitOnEmpty whether the run ends when the source has no more rows for now; null: if the
 *     source is finite
 * @param maxBatchRows the most rows of a batch, 1 to {@link #MAX_BATCH_ROWS_LIMIT}
 * @param concurrency decoding workers, 1 to {@link #CONCURRENCY_LIMIT}
 * @param limitRows how many rows to deliver at most; 0: all
 */
public record RouteSpec(
    @Nullable String name,
    EndpointSpec<?> source,
    EndpointSpec<?> sink,
    @Nullable Boolean exitOnEmpty,
    int maxBatchRows,
    int concurrency,
    long limitRows) {

  /** The value of {@code max_batch_rows} unless said otherwise. */
  public static final int DEFAULT_MAX_BATCH_ROWS = 1024;

  /** The greatest value of {@code max_batch_rows}. */
  public static final int MAX_BATCH_ROWS_LIMIT = 1_000_000;

  /** The greatest value of {@code concurrency}. */
  public static final int CONCURRENCY_LIMIT = 256;

  /** The value of {@code concurrency} unless said otherwise: a worker for each processor. */
  public static int defaultConcurrency() {
    return Math.min(CONCURRENCY_LIMIT, Runtime.getRuntime().availableProcessors());
  }

  /** The same route, delivering at most so many rows. */
  public RouteSpec withLimitRows(long rows) {
    return new RouteSpec(name, source, sink, exitOnEmpty, maxBatchRows, concurrency, rows);
  }
}
