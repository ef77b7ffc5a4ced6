@NullMarked
package dev.drover.runtime;

import org.jspecify.annotations.NullMarked;
