package dev.drover.connectors.file;

import dev.drover.spi.Connector;
import java.nio.file.Path;
import java.util.Map;

class AppendFaultsTest extends FileFaultsTest {

  @Override
  protected Map<String, ?> endpoint(Connector connector, Path place) {
    return Map.of("file", Map.of("path", place.resolve(name()).toString(), "write_mode", "append"));
  }
}
