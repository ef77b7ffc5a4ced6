package dev.drover.spi;

/**
 * What a source is like.
 *
 * @param finite it ends by itself
 * @param replayable reading again from an offset gives the same rows in the same order
 * @param live rows come as they happen, and latency matters more than throughput
 */
public record Traits(boolean finite, boolean replayable, boolean live) {}
