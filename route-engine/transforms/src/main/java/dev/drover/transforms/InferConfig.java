package dev.drover.transforms;

import dev.drover.spi.Option;

record InferConfig(
    @Option(
            value = "Rows to look at where the input does not end",
            defaultValue = "10000",
            min = 1,
            max = 10_000_000)
        int inferRows) {}
