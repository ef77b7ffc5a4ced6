package dev.drover.transforms;

import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

record MappingConfig(
    @Option("New fields by name: a path, or {path, default, required}") @Nullable Object mapping,
    @Option("Not supported") @Nullable String expression,
    @Option("A file that holds the schema as JSON Schema") @Nullable String schemaFile,
    @Option("The schema itself, as JSON Schema") @Nullable Object schema,
    @Option(value = "Whether text becomes numbers and booleans", defaultValue = "true")
        boolean coerce,
    @Option(value = "Whether missing fields get the schema's default", defaultValue = "true")
        boolean applyDefaults,
    @Option(value = "Whether any empty text is null", defaultValue = "false")
        boolean coerceEmptyAsNull,
    @Option(
            value = "What to do with a row that does not fit; see on_reject",
            defaultValue = "reject",
            allowed = {"reject", "pass_through"})
        String onError) {}
