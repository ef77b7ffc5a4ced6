@NullMarked
package dev.drover.formats;

import org.jspecify.annotations.NullMarked;
