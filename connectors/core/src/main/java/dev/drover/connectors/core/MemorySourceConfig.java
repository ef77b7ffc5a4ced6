package dev.drover.connectors.core;

import dev.drover.spi.Option;

record MemorySourceConfig(@Option("Which of the process's row stores to read") String topic) {}
