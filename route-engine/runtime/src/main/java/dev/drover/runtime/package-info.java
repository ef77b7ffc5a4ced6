/**
 * Plans and runs routes. Begin with {@link dev.drover.runtime.Engine}; a route is read from JSON by
 * {@link dev.drover.runtime.RouteReader}.
 */
@NullMarked
package dev.drover.runtime;

import org.jspecify.annotations.NullMarked;
