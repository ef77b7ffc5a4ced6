package dev.drover.connectors.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files whose names differ by a number of at least six digits, in place of {@code {n}}. */
final class NumberedFiles {

  /** What stands for the number. */
  static final String NUMBER = "{n}";

  private final Target pattern;
  private final Pattern names;

  /**
   * @param pattern a file whose name has {@link #NUMBER}
   */
  NumberedFiles(Target pattern) {
    this.pattern = pattern;
    String name = pattern.path().getFileName().toString();
    int at = name.indexOf(NUMBER);
    names =
        Pattern.compile(
            Pattern.quote(name.substring(0, at))
                + "(\\d{6,9})"
                + Pattern.quote(name.substring(at + NUMBER.length()))
                + "(\\.part)?");
  }

  static boolean isPattern(Path path) {
    return String.valueOf(path.getFileName()).contains(NUMBER);
  }

  Target target(int number) {
    String name = pattern.path().getFileName().toString();
    Path path = pattern.path().resolveSibling(name.replace(NUMBER, "%06d".formatted(number)));
    return new Target(
        path, pattern.rows(), pattern.writeMode(), pattern.force(), pattern.packing());
  }

  /** The numbers of complete files, lowest first. */
  List<Integer> complete() throws IOException {
    return numbers(false);
  }

  /** The numbers of parts, lowest first. */
  List<Integer> parts() throws IOException {
    return numbers(true);
  }

  private List<Integer> numbers(boolean parts) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    try (Stream<Path> files = Files.list(pattern.path().resolveSibling(""))) {
      files.forEach(
          file -> {
            Matcher name = names.matcher(file.getFileName().toString());
            if (name.matches() && (name.group(2) != null) == parts) {
              numbers.add(Integer.valueOf(name.group(1)));
            }
          });
    }
    Collections.sort(numbers);
    return numbers;
  }

  /** Removes parts with higher numbers; fails if somebody is writing one of them. */
  void removePartsAbove(int number) throws IOException {
    for (int other : parts()) {
      if (other > number) {
        Path part = target(other).part();
        try (Claim claim = Claim.existing(part, pattern.path())) {
          if (claim != null) {
            Files.delete(part);
          }
        }
      }
    }
  }

  /** Gives parts with lower numbers their names. */
  void publishPartsBelow(int number) throws IOException {
    for (int other : parts()) {
      if (other < number) {
        target(other).publish();
      }
    }
  }

  /** The number behind that of the last file; fails if there must be none. */
  int first(boolean mayFollow) throws IOException {
    List<Integer> there = complete();
    if (!there.isEmpty() && !mayFollow) {
      throw FileErrors.exists(target(there.getFirst()).path(), null);
    }
    return there.isEmpty() ? 1 : there.getLast() + 1;
  }
}
