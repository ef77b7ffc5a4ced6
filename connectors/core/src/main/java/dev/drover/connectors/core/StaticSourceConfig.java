package dev.drover.connectors.core;

import dev.drover.spi.Option;

/**
 * @param body a text, or an object of fields
 */
record StaticSourceConfig(
    @Option("The row: a text, or an object whose values are text, whole numbers or booleans")
        Object body,
    @Option(value = "How often the row comes", defaultValue = "1") long count) {}
