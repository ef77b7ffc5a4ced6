package dev.drover.connectors.file;

import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

record FileSourceConfig(
    @Option("The file to read, or many: a folder, or a pattern with *, ** and ?") String path,
    @Option("How rows are written in it; without it the file's extension decides")
        @Nullable String format,
    @Option("The character between fields; without it a comma, or a tab for .tsv")
        @Nullable String delimiter,
    @Option("The character that may enclose a field; without it a double quote")
        @Nullable String quote,
    @Option(
            value = "How long a record may be",
            defaultValue = "67108864",
            min = 1,
            max = 268_435_456)
        int maxRecordBytes,
    @Option(value = "How deep JSON may be nested", defaultValue = "1000", min = 1, max = 100_000)
        int maxDepth,
    FileReadOptions files) {}
