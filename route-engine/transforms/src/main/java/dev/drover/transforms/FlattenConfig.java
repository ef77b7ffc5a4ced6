package dev.drover.transforms;

import dev.drover.spi.Option;
import java.util.List;
import org.jspecify.annotations.Nullable;

record FlattenConfig(
    @Option("The fields to flatten; without it all that hold objects")
        @Nullable List<String> fields,
    @Option(value = "What stands between the names", defaultValue = ".") String separator,
    @Option(
            value = "How deep to go; what is deeper stays an object",
            defaultValue = "32",
            min = 1,
            max = 1000)
        int maxDepth) {}
