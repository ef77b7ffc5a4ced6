package dev.drover.connectors.file;

import dev.drover.spi.Option;
import dev.drover.spi.WriteMode;
import org.jspecify.annotations.Nullable;

record FileSinkConfig(
    @Option("The file to write") String path,
    @Option("How rows are written; without it the file's extension decides")
        @Nullable String format,
    @Option(
            "What to do if the file exists; without it append if the route does not end, else create "
                + "for an agent and replace at the shell")
        @Nullable WriteMode writeMode,
    @Option(
            value = "Whether a commit waits for the disk, so that it survives a power cut",
            defaultValue = "never")
        Fsync fsync) {

  /** When to wait for the disk. */
  enum Fsync {
    /** At each commit. */
    COMMIT,
    /** The operating system decides; a crash of the process alone loses nothing. */
    NEVER
  }
}
