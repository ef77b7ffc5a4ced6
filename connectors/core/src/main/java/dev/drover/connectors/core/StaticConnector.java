package dev.drover.connectors.core;

import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the same row again and again: for tests and trials without a system to read from. */
public final class StaticConnector implements Connector {

  @Override
  public String name() {
    return "static";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.RESUME);
  }

  @Override
  public @Nullable SourceType<?> source() {
    return new SourceType<>(StaticSourceConfig.class, (config, access) -> new StaticSource(config));
  }
}
