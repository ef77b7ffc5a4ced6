/**
 * What a route does to its rows between source and sink: cast, infer, select, filter, set, explode,
 * flatten. One implementation over batches, whatever the rows come from.
 */
@NullMarked
package dev.drover.transforms;

import org.jspecify.annotations.NullMarked;
