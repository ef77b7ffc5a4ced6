package dev.drover.connectors.file;

import dev.drover.spi.Connector;
import dev.drover.testkit.FaultContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FileFaultsTest extends FaultContract {

  /** The name of what is written. */
  String name() {
    return "out.jsonl";
  }

  @Override
  protected Connector connector() {
    return new FileConnector();
  }

  @Override
  protected Map<String, ?> endpoint(Connector connector, Path place) {
    return Map.of("file", Map.of("path", place.resolve(name()).toString()));
  }

  @Override
  protected List<List<@Nullable String>> readBack(Connector connector, Path place)
      throws IOException {
    return rows(place.resolve(name()));
  }

  /** The rows of a file; none if there is no file. */
  static List<List<@Nullable String>> rows(Path target) throws IOException {
    JsonMapper mapper = new JsonMapper();
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (String line : Files.exists(target) ? Unpacked.lines(target) : List.<String>of()) {
      List<@Nullable String> row = new ArrayList<>();
      for (JsonNode value : mapper.readTree(line)) {
        row.add(value.stringValue());
      }
      rows.add(row);
    }
    return rows;
  }
}
