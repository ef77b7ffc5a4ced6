package dev.drover.connectors.file;

import dev.drover.formats.SinkFormat;
import dev.drover.spi.Option;
import dev.drover.spi.WriteMode;
import org.jspecify.annotations.Nullable;

record FileSinkConfig(
    @Option("The file to write") String path,
    SinkFormat rows,
    @Option(
            "What to do if the file exists; without it create, for an agent, or replace, for the"
                + " shell, and append in a run that does not end")
        @Nullable WriteMode writeMode,
    @Option(value = "Whether a commit survives a power cut", defaultValue = "never") Fsync fsync,
    FileWriteOptions files) {

  /** When the file is forced to the disk. */
  enum Fsync {
    /** At each commit and at the end. */
    COMMIT,
    /** When the operating system likes. */
    NEVER
  }
}
