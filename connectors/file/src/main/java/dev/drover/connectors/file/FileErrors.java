package dev.drover.connectors.file;

import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says what an I/O error of the operating system means to the user. */
final class FileErrors {

  private FileErrors() {}

  /** The path that an endpoint names; what is wrong with it is told of its option. */
  static Path resolve(Access access, String path, FileUse use) {
    try {
      return access.file(path, use);
    } catch (DroverException e) {
      throw new DroverException(e.problem().under("/path"), e);
    }
  }

  /** Sees that standard input or output may be used; what is wrong is told of the path. */
  static void standard(Access access, FileUse use) {
    try {
      access.standard(use);
    } catch (DroverException e) {
      throw new DroverException(e.problem().under("/path"), e);
    }
  }

  /** Nothing can be written to standard output any more. */
  static DroverException closed(IOException e) {
    String text = String.valueOf(e.getMessage());
    return text.contains("No space left")
        ? problem(
            ErrorCode.DISK_FULL,
            "no space is left for standard output",
            "make room, or write to another disk",
            e)
        : problem(
            ErrorCode.TARGET_CLOSED,
            "writing to standard output failed: " + text,
            "see that the program behind the pipe reads all of it",
            e);
  }

  /**
   * @param doing what was tried, as in "reading"
   */
  static DroverException of(IOException e, String doing, Path path) {
    String text = e.getMessage() == null ? "" : e.getMessage();
    return switch (e) {
      case NoSuchFileException missing ->
          problem(ErrorCode.FILE_NOT_FOUND, "there is no file " + path, "check the path", e);
      case AccessDeniedException denied ->
          problem(
              ErrorCode.ACCESS_DENIED,
              "%s %s is not permitted".formatted(doing, path),
              "check the permissions of the file and its folder",
              e);
      case FileAlreadyExistsException exists -> exists(path, e);
      case ClosedByInterruptException stopped ->
          problem(ErrorCode.IO_ERROR, doing + " " + path + " was stopped", "start it again", e);
      default -> {
        if (text.contains("No space left") || text.contains("not enough space")) {
          yield problem(
              ErrorCode.DISK_FULL,
              "no space is left for " + path,
              "make room, or write to another disk",
              e);
        }
        yield problem(
            ErrorCode.IO_ERROR,
            "%s %s failed: %s".formatted(doing, path, text),
            "try again once the cause is gone",
            e);
      }
    };
  }

  static DroverException exists(Path path, @Nullable Throwable cause) {
    return problem(
        ErrorCode.FILE_EXISTS,
        path + " exists already",
        "set write_mode to replace or append, or choose another path",
        cause);
  }

  static DroverException busy(Path target) {
    return problem(
        ErrorCode.TARGET_BUSY,
        "another run is writing " + target,
        "wait for it or stop it, or write to another file",
        null);
  }

  /**
   * @param how what is not as the last run has left it
   */
  static DroverException changed(Path target, String how) {
    return problem(
        ErrorCode.TARGET_CHANGED,
        "%s; somebody else has changed what the last run had written".formatted(how),
        "'drover checkpoint reset %s' to begin anew, or write to another file".formatted(target),
        null);
  }

  /**
   * @param why what is in it, as in "it is compressed"
   */
  static DroverException cannotAdd(Path target, String why, String suggestion) {
    return problem(
        ErrorCode.INVALID_ARGUMENT,
        "no rows can be added to %s: %s".formatted(target, why),
        suggestion,
        null);
  }

  /**
   * @param ours this run, as in "the run abc of orders.csv"
   */
  static DroverException mismatch(Path target, Checkpoint found, String ours) {
    return problem(
        ErrorCode.CHECKPOINT_MISMATCH,
        "%s holds rows of the run %s of %s, which is not finished; this is %s"
            .formatted(target, found.id(), found.source(), ours),
        "finish that run, give it up with 'drover checkpoint reset %s', or write to another file"
            .formatted(target),
        null);
  }

  /**
   * @param how what is not as it was when the checkpoint was made
   */
  static DroverException sourceChanged(Path path, String how) {
    return problem(
        ErrorCode.SOURCE_CHANGED,
        "%s: rows of it may be lost".formatted(how),
        "'drover checkpoint reset' for this route, then it reads %s from the start".formatted(path),
        null);
  }

  private static DroverException problem(
      ErrorCode code, String message, String suggestion, @Nullable Throwable cause) {
    return new DroverException(new Problem(code, "", message, suggestion), cause);
  }
}
