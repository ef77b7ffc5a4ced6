@NullMarked
package dev.drover.benchmarks;

import org.jspecify.annotations.NullMarked;
