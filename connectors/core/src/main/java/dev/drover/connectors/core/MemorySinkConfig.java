package dev.drover.connectors.core;

import dev.drover.spi.Option;

record MemorySinkConfig(
    @Option("Which of the process's row stores to write to") String topic,
    @Option(
            value = "What the store may hold before writing fails",
            defaultValue = "67108864",
            min = 1)
        long maxStoredBytes) {}
