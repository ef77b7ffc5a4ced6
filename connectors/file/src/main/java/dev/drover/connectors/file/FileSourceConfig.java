package dev.drover.connectors.file;

import dev.drover.formats.CsvOptions;
import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

record FileSourceConfig(
    @Option("The file to read, or many: a folder, or a pattern with *, ** and ?") String path,
    @Option("How rows are written in it; without it the file's extension decides")
        @Nullable String format,
    CsvOptions csv,
    @Option(
            value = "How long a record may be",
            defaultValue = "67108864",
            min = 1,
            max = 268_435_456)
        int maxRecordBytes,
    @Option(value = "How deep JSON may be nested", defaultValue = "1000", min = 1, max = 100_000)
        int maxDepth,
    FileReadOptions files) {}
