package dev.drover.bench.lab.faults;

import dev.drover.spi.Option;

record LedgerConfig(
    @Option(value = "The port of the ledger on this machine", min = 1, max = 65_535) int port,
    @Option("The book to write into") String book,
    @Option(value = "Whether the ledger keeps the checkpoint with the rows", defaultValue = "true")
        boolean keepsCheckpoint) {}
