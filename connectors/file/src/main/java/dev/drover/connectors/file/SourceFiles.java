package dev.drover.connectors.file;

import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Split;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the files that a path stands for: one, those directly in a folder, or those that fit a
 * pattern. Names that begin with a dot and what a run of Drover has left beside its target do not
 * count, links to folders are not followed. Each file that is found passes the policy.
 */
final class SourceFiles {

  private static final int NAMES_SHOWN = 5;

  /** The path that stands for standard input and output. */
  static final String STANDARD = "-";

  /**
   * A file to read, and the part of the source that it is.
   *
   * @param path of standard input, only its name for people
   */
  record SourceFile(Path path, Split split, boolean standard) {

    /** Whether it can be read again. */
    boolean isRegular() {
      return !standard && Files.isRegularFile(path);
    }
  }

  private final Access access;
  private final int maxFiles;

  SourceFiles(Access access, int maxFiles) {
    this.access = access;
    this.maxFiles = maxFiles;
  }

  /**
   * The files in the order of their names.
   *
   * @return at least one
   * @throws DroverException if there is none, or one that may not be read
   */
  List<SourceFile> find(String path) {
    if (path.equals(STANDARD)) {
      String name = "standard input";
      return List.of(new SourceFile(Path.of(name), new Split(name), true));
    }
    Glob glob = isThere(path) ? null : Glob.of(path);
    if (glob != null) {
      Path base =
          FileErrors.resolve(access, glob.base().isEmpty() ? "." : glob.base(), FileUse.READ);
      return matches(path, base, glob);
    }
    Path resolved = FileErrors.resolve(access, path, FileUse.READ);
    if (!Files.isDirectory(resolved)) {
      return List.of(file(resolved, resolved));
    }
    Glob all = Glob.of("*");
    if (all == null) {
      throw new IllegalStateException("a star is no pattern");
    }
    return matches(path, resolved, all);
  }

  /** A name may have what would be a wildcard elsewhere. */
  private boolean isThere(String path) {
    try {
      access.file(path, FileUse.READ);
      return true;
    } catch (DroverException e) {
      return e.code() != ErrorCode.FILE_NOT_FOUND && e.code() != ErrorCode.INVALID_ARGUMENT;
    }
  }

  private static SourceFile file(Path resolved, Path named) {
    if (!Files.isReadable(resolved)) {
      throw problem(
          ErrorCode.ACCESS_DENIED,
          "reading " + named + " is not permitted",
          "check the permissions of the file");
    }
    return new SourceFile(resolved, new Split(named.toString()), false);
  }

  private List<SourceFile> matches(String pattern, Path base, Glob glob) {
    TreeMap<String, Path> found = new TreeMap<>();
    try {
      Files.walkFileTree(
          base, EnumSet.noneOf(FileVisitOption.class), glob.depth(), new Finder(base, glob, found));
    } catch (IOException e) {
      throw FileErrors.of(e, "looking into", base);
    }
    if (found.isEmpty()) {
      throw problem(ErrorCode.FILE_NOT_FOUND, "no file fits %s".formatted(pattern), near(base));
    }
    if (found.size() > maxFiles) {
      throw problem(
          ErrorCode.LIMIT_EXCEEDED,
          "%s stands for more than `max_files` (%,d)".formatted(pattern, maxFiles),
          "set a larger max_files, or a narrower pattern");
    }
    List<SourceFile> files = new ArrayList<>();
    found.forEach(
        (name, named) ->
            files.add(file(FileErrors.resolve(access, named.toString(), FileUse.READ), named)));
    return files;
  }

  private final class Finder extends SimpleFileVisitor<Path> {

    private final Path base;
    private final Glob glob;
    private final Map<String, Path> found;

    Finder(Path base, Glob glob, Map<String, Path> found) {
      this.base = base;
      this.glob = glob;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return folder.equals(base) || !isHidden(folder)
          ? FileVisitResult.CONTINUE
          : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String name = base.relativize(file).toString().replace(File.separatorChar, '/');
      if (!isHidden(file) && glob.fits(name) && Files.isRegularFile(file)) {
        found.put(name, file);
      }
      return found.size() > maxFiles ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (file.equals(base)) {
        throw failure;
      }
      throw FileErrors.of(failure, "looking into", file);
    }
  }

  private static boolean isHidden(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".")
        || name.endsWith(".part")
        || name.endsWith(".drover")
        || name.endsWith(".drover.tmp");
  }

  private static String near(Path base) {
    try (Stream<Path> entries = Files.list(base)) {
      List<String> names =
          entries
              .filter(entry -> !isHidden(entry))
              .limit(1000)
              .map(entry -> entry.getFileName() + (Files.isDirectory(entry) ? "/" : ""))
              .sorted()
              .toList();
      if (names.isEmpty()) {
        return "there is nothing in " + base;
      }
      String shown = String.join(", ", names.subList(0, Math.min(NAMES_SHOWN, names.size())));
      return "in %s there are %s%s".formatted(base, shown, names.size() > NAMES_SHOWN ? ", …" : "");
    } catch (IOException | UncheckedIOException e) {
      return "check the pattern";
    }
  }

  private static DroverException problem(ErrorCode code, String message, String suggestion) {
    return new DroverException(new Problem(code, "/path", message, suggestion));
  }
}
