package dev.drover.transforms;

import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

record ExplodeConfig(
    @Option("The array; a.b looks into a document") String field,
    @Option("The name of the field with its elements; without it the array's") @Nullable String as,
    @Option(value = "Whether a row with an empty array, or none, stays", defaultValue = "true")
        boolean keepEmpty) {}
