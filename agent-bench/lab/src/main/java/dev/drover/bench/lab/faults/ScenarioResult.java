package dev.drover.bench.lab.faults;

import org.jspecify.annotations.Nullable;

/**
 * What became of a scenario.
 *
 * @param kills that were done
 * @param restarts after them
 * @param rounds routes that were brought to their end
 * @param rows that should have come in all rounds
 * @param dropped connections that were lost before a request that was done was answered
 * @param inside kills between the first read and the last commit
 * @param atPoints kills at named points
 * @param breach what went wrong; null if nothing did
 */
record ScenarioResult(
    String scenario,
    String guarantee,
    int kills,
    int restarts,
    int rounds,
    long rows,
    long lost,
    long doubled,
    int dropped,
    int inside,
    int atPoints,
    @Nullable String breach) {}
