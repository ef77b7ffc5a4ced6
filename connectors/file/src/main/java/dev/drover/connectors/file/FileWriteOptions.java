package dev.drover.connectors.file;

import dev.drover.formats.Compression;
import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

/** How a sink makes its files, whatever their format. */
record FileWriteOptions(
    @Option(
            value = "How to compress; auto goes by the extension: .gz, .zst, .lz4",
            defaultValue = "auto")
        Compression compression,
    @Option(
            value = "How hard gzip (1 to 9) or zstd (1 to 19) tries; without it 6 and 2",
            min = 1,
            max = 19)
        @Nullable Integer compressionLevel,
    @Option(value = "Whether to make the folders that lead to the file", defaultValue = "false")
        boolean createFolders,
    @Option(
            value =
                "Rows after which the next of numbered files begins, path has {n}; 0 is no limit",
            defaultValue = "0",
            min = 0)
        long rollRows,
    @Option(
            value = "Bytes after which the next of numbered files begins; 0 is no limit",
            defaultValue = "0",
            min = 0)
        long rollBytes,
    @Option(
            value = "Time after which the next of numbered files begins; 0 is no limit",
            defaultValue = "0",
            min = 0)
        long rollIntervalMs) {

  /** The defaults. */
  static final FileWriteOptions DEFAULTS =
      new FileWriteOptions(Compression.AUTO, null, false, 0, 0, 0);
}
