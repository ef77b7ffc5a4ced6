package dev.drover.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A route as it was asked for, checked and complete: the options are bound to the connectors' own
 * records.
 *
 * @param name names the run; null: the engine makes one up
 * @param exitOnEmpty whether the run ends when the source has no more rows for now
 * @param maxBatchRows the most rows of a batch, 1 to 1,000,000
 * @param concurrency decoding workers, 1 to 256
 */
public record RouteSpec(
    @Nullable String name,
    EndpointSpec<?> source,
    EndpointSpec<?> sink,
    boolean exitOnEmpty,
    int maxBatchRows,
    int concurrency) {

  /** The limit of {@code max_batch_rows} unless said otherwise. */
  public static final int DEFAULT_MAX_BATCH_ROWS = 1024;
}
