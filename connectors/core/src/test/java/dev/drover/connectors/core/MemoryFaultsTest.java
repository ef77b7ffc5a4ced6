package dev.drover.connectors.core;

import dev.drover.spi.Connector;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.FaultContract;
import dev.drover.testkit.TestRuns;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

class MemoryFaultsTest extends FaultContract {

  @Override
  protected Connector connector() {
    return new MemoryConnector();
  }

  @Override
  protected Map<String, ?> endpoint(Connector connector, Path place) {
    return Map.of("memory", Map.of("topic", "t"));
  }

  @Override
  protected List<List<@Nullable String>> readBack(Connector connector, Path place) {
    Collected collected = new Collected();
    try (TestRuns runs = new TestRuns(connector)) {
      runs.run(endpoint(connector, place), TestRuns.collect(collected), "exit_on_empty", true);
    }
    return collected.rows();
  }
}
