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
import org.junit.jupiter.api.Nested;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FileFaultsTest {

  abstract static class Mode extends FaultContract {
    private final String writeMode;

    Mode(String writeMode) {
      this.writeMode = writeMode;
    }

    @Override
    protected Connector connector() {
      return new FileConnector();
    }

    @Override
    protected Map<String, ?> endpoint(Connector connector, Path place) {
      return Map.of(
          "file", Map.of("path", place.resolve("out.jsonl").toString(), "write_mode", writeMode));
    }

    @Override
    protected List<List<@Nullable String>> readBack(Connector connector, Path place)
        throws IOException {
      JsonMapper mapper = new JsonMapper();
      List<List<@Nullable String>> rows = new ArrayList<>();
      for (String line : Files.readAllLines(place.resolve("out.jsonl"))) {
        List<@Nullable String> row = new ArrayList<>();
        for (JsonNode value : mapper.readTree(line)) {
          row.add(value.stringValue());
        }
        rows.add(row);
      }
      return rows;
    }
  }

  @Nested
  class Replaced extends Mode {
    Replaced() {
      super("replace");
    }
  }

  @Nested
  class Appended extends Mode {
    Appended() {
      super("append");
    }
  }
}
