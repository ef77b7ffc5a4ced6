package dev.drover.transforms;

import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

record CastConfig(
    @Option("A file that holds the schema as JSON Schema") @Nullable String schemaFile,
    @Option("The schema itself, as JSON Schema") @Nullable Object schema,
    @Option(value = "Whether text becomes numbers and booleans", defaultValue = "true")
        boolean coerce,
    @Option(value = "Whether missing fields get the schema's default", defaultValue = "true")
        boolean applyDefaults,
    @Option(value = "Whether any empty text is null, also a quoted one", defaultValue = "false")
        boolean emptyToNull) {}
