/**
 * The proof that a route which is killed and started again loses nothing: child processes that are
 * killed at drawn instants and at named points of a commit, and a comparison of what they left with
 * what a plain loop says it must be. Begin with {@link dev.drover.bench.lab.faults.FaultsCommand}.
 */
@NullMarked
package dev.drover.bench.lab.faults;

import org.jspecify.annotations.NullMarked;
