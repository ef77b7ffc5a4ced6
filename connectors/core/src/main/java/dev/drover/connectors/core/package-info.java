/**
 * Connectors without an outside system: {@code static} makes rows, {@code memory} hands them from
 * one route to another in the same process, {@code null} drops them. Begin with {@link
 * dev.drover.connectors.core.MemoryConnector}.
 */
@NullMarked
package dev.drover.connectors.core;

import org.jspecify.annotations.NullMarked;
