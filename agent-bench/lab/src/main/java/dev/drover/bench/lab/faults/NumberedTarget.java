package dev.drover.bench.lab.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Numbered files, of which a route makes many.
 *
 * @param rows of each, at most
 */
record NumberedTarget(int rows) implements Target {

  private static final String PREFIX = "out-";
  private static final String SIDECAR = PREFIX + "{n}.jsonl.drover";

  @Override
  public Map<String, ?> endpoint(Path folder) {
    return Map.of(
        "file", Map.of("path", folder.resolve(PREFIX + "{n}.jsonl").toString(), "roll_rows", rows));
  }

  private static List<Path> files(Path folder, String ending) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().startsWith(PREFIX))
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  @Override
  public long length(Path folder) throws IOException {
    long length = 0;
    for (String ending : List.of(".jsonl", ".part")) {
      for (Path file : files(folder, ending)) {
        length += Files.size(file);
      }
    }
    return length;
  }

  @Override
  public boolean complete(Path folder) {
    return !files(folder, ".jsonl").isEmpty()
        && files(folder, ".part").isEmpty()
        && !Files.exists(folder.resolve(SIDECAR));
  }

  /** Started again, it would refuse the files that are there. */
  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public byte[] rows(Path folder) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Path file : files(folder, ".jsonl")) {
      all.write(Files.readAllBytes(file));
    }
    return all.toByteArray();
  }

  @Override
  public List<String> commitPoints() {
    return List.of(
        "rows half written",
        "rows written",
        "rows opened",
        "sidecar half written",
        "sidecar before its rename",
        "sidecar renamed");
  }

  @Override
  public List<String> endPoints() {
    return List.of("sidecar removed");
  }
}
