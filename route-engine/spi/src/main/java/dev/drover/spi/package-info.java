@NullMarked
package dev.drover.spi;

import org.jspecify.annotations.NullMarked;
