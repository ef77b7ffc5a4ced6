package dev.drover.connectors.file;

import dev.drover.spi.Option;
import org.jspecify.annotations.Nullable;

record FileSinkConfig(
    @Option("The file to write") String path,
    @Option("How rows are written; without it the file's extension decides")
        @Nullable String format,
    @Option(value = "What to do if the file exists", defaultValue = "create") WriteMode writeMode) {

  /** What to do if the file exists. */
  enum WriteMode {
    /** Refuse. */
    CREATE,
    /** Put the new file in its place once it is complete. */
    REPLACE
  }
}
