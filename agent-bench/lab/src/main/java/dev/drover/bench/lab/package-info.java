@NullMarked
package dev.drover.bench.lab;

import org.jspecify.annotations.NullMarked;
