@NullMarked
package dev.drover.toolschemas;

import org.jspecify.annotations.NullMarked;
