package dev.drover.transforms;

import dev.drover.spi.Option;
import java.util.List;
import org.jspecify.annotations.Nullable;

record SelectConfig(
    @Option("Fields to keep, in this order; a.b looks into a document, * is all others")
        @Nullable List<String> keep,
    @Option("Fields to leave out") @Nullable List<String> drop,
    @Option("New names: {\"old\": \"new\"}") @Nullable Object rename) {}
