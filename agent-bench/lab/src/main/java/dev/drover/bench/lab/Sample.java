package dev.drover.bench.lab;

/**
 * One run of one contestant.
 *
 * @param wallSeconds by the clock of whoever asked for the work
 * @param cpuSeconds user and system time of the process that did it
 * @param toldSeconds what the process says that it took; NaN if it says nothing
 */
record Sample(double wallSeconds, double cpuSeconds, double toldSeconds) {}
