package dev.drover.connectors.file;

import dev.drover.formats.Compression;
import dev.drover.formats.Decompressor;
import dev.drover.spi.Option;

/** How a source takes its files, whatever their format. */
record FileReadOptions(
    @Option(
            value = "How the file is compressed; auto goes by its first bytes",
            defaultValue = "auto")
        Compression compression,
    @Option(value = "How many bytes a compressed file may hold; 0 is no limit", defaultValue = "0")
        long maxDecompressedBytes,
    @Option(
            value = "How much memory a zstd frame may ask for",
            defaultValue = "134217728",
            min = 1024,
            max = Decompressor.Settings.MAX_WINDOW_BYTES)
        int maxWindowBytes,
    @Option(
            value = "What to do with a file whose header is not that of the first one",
            defaultValue = "error")
        OnMismatch onMismatch,
    @Option(
            value = "How many files a pattern or folder may stand for",
            defaultValue = "10000",
            min = 1,
            max = 1_000_000)
        int maxFiles) {

  /** What headers that differ mean. */
  enum OnMismatch {
    /** The run fails. */
    ERROR,
    /**
     * Columns go by their names, in the order of the first file; one that a file lacks is absent.
     */
    BY_NAME
  }

  /** The defaults. */
  static final FileReadOptions DEFAULTS =
      new FileReadOptions(
          Compression.AUTO, 0, Decompressor.Settings.MAX_WINDOW_BYTES, OnMismatch.ERROR, 10_000);

  /** How to decompress a file of that name. */
  Decompressor.Settings decompression(String fileName) {
    return new Decompressor.Settings(compression, fileName, maxDecompressedBytes, maxWindowBytes);
  }
}
