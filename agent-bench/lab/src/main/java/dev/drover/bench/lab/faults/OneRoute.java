package dev.drover.bench.lab.faults;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.IfExists;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.Run;
import dev.drover.runtime.StateFolder;
import dev.drover.spi.WriteMode;
import java.nio.file.Path;
import java.util.Map;

/** An engine as {@code drover copy} has it, with every connector of the class path. */
record OneRoute(Connectors connectors, Engine engine) implements AutoCloseable {

  static OneRoute open(Path state) {
    Connectors connectors = Connectors.load();
    Engine.Settings settings = Engine.Settings.NONE.withCheckpoints(new StateFolder(state), "");
    return new OneRoute(connectors, new Engine(connectors, FileAccess.unfenced(), settings));
  }

  /**
   * Starts a route.
   *
   * @throws dev.drover.runtime.SpecException if it cannot run
   */
  Run start(Map<String, ?> route) {
    return engine.start(
        new RouteReader(connectors, WriteMode.REPLACE)
            .read(route, "faults", RouteReader.Overrides.NONE, ""),
        IfExists.ERROR);
  }

  @Override
  public void close() {
    engine.close();
  }
}
