package dev.drover.connectors.core;

import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Drops rows: for measuring a source, or trying a route. */
public final class NullConnector implements Connector {

  @Override
  public String name() {
    return "null";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public @Nullable SinkType<?> sink() {
    return new SinkType<>(NullSinkConfig.class, (config, access, mode) -> new NullSink());
  }
}
