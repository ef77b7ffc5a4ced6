package dev.drover.connectors.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a folder that had a name before: {@code orders.csv.1}, {@code orders.csv-20261201},
 * {@code orders.1.csv}, … They are told from others by their content where that is known, by name
 * and time where it is not.
 */
final class Rotation {

  /** What a name is given when its file is put aside; numbers up to six digits count downwards. */
  private static final String SUFFIX = "[._-](\\d[\\dTZ:_.-]*)";

  private static final int MOST_COUNTED_DIGITS = 6;

  private static final Set<String> COMPRESSED =
      Set.of(".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip");

  private final Path path;
  private final Access access;
  private final Pattern aside;

  Rotation(Path path, Access access) {
    this.path = path;
    this.access = access;
    String name = String.valueOf(path.getFileName());
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    String extension = dot > 0 ? name.substring(dot) : "";
    aside =
        Pattern.compile(
            "%s%s|%s%s%s"
                .formatted(
                    Pattern.quote(name),
                    SUFFIX,
                    Pattern.quote(stem),
                    SUFFIX,
                    Pattern.quote(extension)));
  }

  /** A file of the folder. */
  private record Aside(Path path, Stat stat, long number) {

    /** From the oldest to the youngest: by time, and among equals by the number in the name. */
    static final Comparator<Aside> BY_AGE =
        Comparator.comparing((Aside file) -> file.stat().modified())
            .thenComparing(Comparator.comparingLong(Aside::number).reversed());
  }

  /** Opens the file that has the name now; null if there is none. */
  @Nullable Followed current() throws IOException {
    return open(path);
  }

  /** The policy is asked each time: the name may lead elsewhere now. */
  private @Nullable Followed open(Path wanted) throws IOException {
    try {
      return Followed.open(access.file(wanted.toString(), FileUse.READ));
    } catch (NoSuchFileException e) {
      return null;
    } catch (DroverException e) {
      if (e.code() == ErrorCode.FILE_NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  /** Null also if the file is not for us to read: then it is not the one that we have read. */
  private @Nullable Followed openOther(Path wanted) {
    try {
      return open(wanted);
    } catch (IOException | DroverException e) {
      return null;
    }
  }

  /**
   * Opens the file that a place is in. Its number decides; a file of the same content under another
   * number is a copy, and will do if it is the only one.
   *
   * @return null if it is not there
   */
  @Nullable Followed find(FileMark mark, long place) throws IOException {
    List<Path> copies = new ArrayList<>();
    Stat now = Stat.of(path);
    List<Path> candidates = new ArrayList<>();
    if (now != null && now.isRegular()) {
      candidates.add(path);
    }
    files().forEach(file -> candidates.add(file.path()));
    for (Path candidate : candidates) {
      Followed file = openOther(candidate);
      if (file == null) {
        continue;
      }
      boolean fits = mark.fits(file.channel(), place);
      if (fits && file.stat().inode() == mark.inode()) {
        return file;
      }
      file.close();
      if (fits) {
        copies.add(candidate);
      }
    }
    return copies.size() == 1 ? open(copies.getFirst()) : null;
  }

  /** Opens the only copy that was made of a file before it was emptied; null if there is none. */
  @Nullable Followed copyOf(Followed file) throws IOException {
    FileMark mark = file.mark();
    List<Path> copies = new ArrayList<>();
    for (Aside candidate : files()) {
      Followed copy = candidate.stat().isSame(file.stat()) ? null : openOther(candidate.path());
      if (copy != null) {
        if (mark.fits(copy.channel(), file.place())) {
          copies.add(candidate.path());
        }
        copy.close();
      }
    }
    return copies.size() == 1 ? open(copies.getFirst()) : null;
  }

  /**
   * Opens the file that had the name after the given one: the oldest that is younger, else the one
   * that has it now.
   *
   * @return null if the name is free at the moment
   * @throws DroverException source_changed if it cannot be read any more
   */
  @Nullable Followed after(Followed file) throws IOException {
    Stat now = Stat.of(path);
    List<Aside> all = files();
    Aside before =
        all.stream()
            .filter(other -> other.stat().isSame(file.stat()))
            .findFirst()
            .orElse(new Aside(path, file.stat(), 0));
    Aside next =
        all.stream()
            .filter(other -> !other.stat().isSame(before.stat()))
            .filter(other -> now == null || !other.stat().isSame(now))
            .filter(other -> other.stat().size() > 0 && isAside(other.path()))
            .filter(other -> Aside.BY_AGE.compare(before, other) < 0)
            .min(Aside.BY_AGE)
            .orElse(null);
    if (next == null) {
      return current();
    }
    if (isCompressed(next.path())) {
      throw FileErrors.sourceChanged(
          path, "%s had the name %s and is compressed by now".formatted(next.path(), path));
    }
    return open(next.path());
  }

  /** The other regular files of the folder. */
  private List<Aside> files() throws IOException {
    List<Aside> files = new ArrayList<>();
    Path folder = path.getParent();
    if (folder == null) {
      return files;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        Stat stat = entry.equals(path) ? null : Stat.of(entry, NOFOLLOW_LINKS);
        if (stat != null && stat.isRegular()) {
          files.add(new Aside(entry, stat, number(entry)));
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  private boolean isAside(Path file) {
    return aside.matcher(plainName(file)).matches();
  }

  private static String plainName(Path file) {
    String name = String.valueOf(file.getFileName());
    return isCompressed(file) ? name.substring(0, name.lastIndexOf('.')) : name;
  }

  private static boolean isCompressed(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot > 0 && COMPRESSED.contains(name.substring(dot));
  }

  /** The count in a name, the greater the older; 0 for a date or none. */
  private long number(Path file) {
    Matcher matcher = aside.matcher(plainName(file));
    if (!matcher.matches()) {
      return 0;
    }
    String count = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    boolean counted =
        count.length() <= MOST_COUNTED_DIGITS && count.chars().allMatch(Character::isDigit);
    return counted ? Long.parseLong(count) : 0;
  }
}
