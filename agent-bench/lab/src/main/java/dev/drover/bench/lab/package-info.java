/**
 * The comparison with other tools, the checks on the whole system, and the results that are shown.
 * Sees everything and is seen by nothing. Begin with {@code BenchCommand}.
 */
@NullMarked
package dev.drover.bench.lab;

import org.jspecify.annotations.NullMarked;
