package dev.drover.connectors.core;

import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Row stores inside the process, one a topic. Rows that a route has read and committed are gone;
 * the rest goes when the process ends.
 */
public final class MemoryConnector implements Connector {

  private final Map<String, MemoryTopic> topics = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public @Nullable SourceType<?> source() {
    return new SourceType<>(
        MemorySourceConfig.class,
        (config, access) -> new MemorySource(config.topic(), topic(config.topic())));
  }

  @Override
  public @Nullable SinkType<?> sink() {
    return new SinkType<>(
        MemorySinkConfig.class,
        (config, access, mode) -> new MemorySink(config, topic(config.topic()), mode));
  }

  private MemoryTopic topic(String name) {
    return topics.computeIfAbsent(name, key -> new MemoryTopic());
  }
}
