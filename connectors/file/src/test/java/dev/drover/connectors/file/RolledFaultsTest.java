package dev.drover.connectors.file;

import dev.drover.spi.Connector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The faults against numbered files, of which each run of the contract makes several. */
class RolledFaultsTest extends FileFaultsTest {

  @Override
  protected Map<String, ?> endpoint(Connector connector, Path place) {
    return Map.of(
        "file", Map.of("path", place.resolve("out-{n}.jsonl").toString(), "roll_rows", 100));
  }

  @Override
  protected List<List<@Nullable String>> readBack(Connector connector, Path place)
      throws IOException {
    List<Path> complete;
    try (Stream<Path> files = Files.list(place)) {
      complete = files.filter(file -> file.toString().endsWith(".jsonl")).sorted().toList();
    }
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (Path file : complete) {
      rows.addAll(rows(file));
    }
    return rows;
  }
}
