/**
 * Contract tests for connectors. Extend {@link dev.drover.testkit.SourceContract} and {@link
 * dev.drover.testkit.SinkContract}; they run the connector in a real engine against the parts of
 * this package, with released memory overwritten.
 */
@NullMarked
package dev.drover.testkit;

import org.jspecify.annotations.NullMarked;
