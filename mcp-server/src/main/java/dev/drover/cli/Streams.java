package dev.drover.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command speaks. Both streams are UTF-8 and swallow errors, so a closed pipe is quiet.
 *
 * @param out results
 * @param err everything else
 * @param terminal whether somebody watches {@code err}
 */
record Streams(PrintStream out, PrintStream err, boolean terminal) {

  /** Set by the launcher, which can ask the system; Java cannot for standard error. */
  private static final String TERMINAL_PROPERTY = "drover.terminal";

  /** Those of the process. */
  static Streams ofProcess() {
    return new Streams(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        Boolean.getBoolean(TERMINAL_PROPERTY));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
