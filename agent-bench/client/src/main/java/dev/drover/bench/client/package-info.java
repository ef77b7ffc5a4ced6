@NullMarked
package dev.drover.bench.client;

import org.jspecify.annotations.NullMarked;
