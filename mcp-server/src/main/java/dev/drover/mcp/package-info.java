@NullMarked
package dev.drover.mcp;

import org.jspecify.annotations.NullMarked;
