package dev.drover.testkit;

import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.testkit.CollectConnector.Collected;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The faults against the engine alone: the sink is one of the test kit, in each of its modes. */
class CollectFaultsTest {

  abstract static class Mode extends FaultContract {
    private final CommitMode mode;
    private final Map<Path, Collected> collected = new HashMap<>();

    Mode(CommitMode mode) {
      this.mode = mode;
    }

    @Override
    protected Connector connector() {
      return new CollectConnector();
    }

    @Override
    protected Map<String, ?> endpoint(Connector connector, Path place) {
      return Map.of(
          "collect",
          Map.of(
              "into",
              collected.computeIfAbsent(place, key -> new Collected()),
              "keeps",
              mode.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    protected List<List<@Nullable String>> readBack(Connector connector, Path place) {
      return collected.getOrDefault(place, new Collected()).rows();
    }
  }

  @Nested
  class RowsOnly extends Mode {
    RowsOnly() {
      super(CommitMode.ROWS);
    }
  }

  @Nested
  class WithCheckpoint extends Mode {
    WithCheckpoint() {
      super(CommitMode.WITH_CHECKPOINT);
    }
  }
}
