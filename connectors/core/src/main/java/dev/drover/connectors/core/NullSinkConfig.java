package dev.drover.connectors.core;

/** The {@code null} sink has no options. */
record NullSinkConfig() {}
