package dev.drover.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a sink must know of the run that it is made for.
 *
 * @param endless the run goes on when the source has no more rows for now; it ends by being stopped
 * @param resumable the run has a checkpoint: after a stop or a crash the next run of the same
 *     checkpoint id goes on where this one ended
 * @param wanted the guarantee that the route demands; null: the sink chooses, and should prefer
 *     exactly-once where it costs little
 * @param writeMode the write mode unless the sink's own options say otherwise
 */
public record RunMode(
    boolean endless, boolean resumable, @Nullable Guarantee wanted, WriteMode writeMode) {}
