package dev.drover.spi;

import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The only way by which a connector reaches what lies outside the process, so that the operator's
 * policy holds for all of them. Any thread.
 */
public interface Access {

  /** What a file is wanted for. */
  enum FileUse {
    READ,
    /** The folder must be there. */
    WRITE,
    /** The folder may have to be made, by who asks. */
    WRITE_IN_NEW_FOLDER
  }

  /**
   * Resolves a path of a route and checks that the policy allows its use.
   *
   * @param path as written in the route; relative ones are resolved against the working folder, a
   *     leading {@code ~} against the home folder
   * @return an absolute path. For {@link FileUse#READ} the file exists and every symbolic link is
   *     followed; for {@link FileUse#WRITE} the folder exists and its links are followed; for
   *     {@link FileUse#WRITE_IN_NEW_FOLDER} those of what exists of it are
   * @throws DroverException with {@link ErrorCode#FILE_NOT_FOUND}, {@link
   *     ErrorCode#PATH_OUTSIDE_ROOTS} or {@link ErrorCode#INVALID_ARGUMENT}; its text names the
   *     resolved path and what to do
   */
  Path file(String path, FileUse use);

  /**
   * Standard input or output of the process, which the path {@code -} stands for. Closing it closes
   * it for the process.
   *
   * @throws DroverException with {@link ErrorCode#NOT_SUPPORTED} if it is not for routes to use, as
   *     in a server that speaks through it
   */
  default FileChannel standard(FileUse use) {
    throw new DroverException(
        new Problem(
            ErrorCode.NOT_SUPPORTED,
            "",
            use == FileUse.READ
                ? "standard input is not there for routes"
                : "standard output is not there for routes",
            "name a file; one whose name is a dash is ./-"));
  }

  /**
   * The value of an environment variable of the process. It may be a secret: it is never told.
   *
   * @throws DroverException with {@link ErrorCode#ACCESS_DENIED} if routes must not read it, {@link
   *     ErrorCode#MISSING_OPTION} if it is not set
   */
  default String environment(String name) {
    throw new DroverException(
        new Problem(
            ErrorCode.ACCESS_DENIED,
            "",
            "routes must not read the environment variable " + name,
            "the user allows it by starting the server with --env " + name));
  }

  /** Nanoseconds of a clock that never goes back; only differences have a meaning. */
  long nanoTime();
}
