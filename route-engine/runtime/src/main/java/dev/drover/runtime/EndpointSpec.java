package dev.drover.runtime;

import dev.drover.spi.Access;
import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import dev.drover.spi.Connector.SinkType;
import dev.drover.spi.Connector.SourceType;
import dev.drover.spi.RunMode;
import dev.drover.spi.Sink;
import dev.drover.spi.Source;
import java.util.List;

/**
 * One end of a route.
 *
 * @param config the connector's options; a record of the type that the connector declares
 */
public record EndpointSpec<C extends Record>(Connector connector, C config) {

  /** Whether the connector declares it. */
  boolean can(Capability capability) {
    return connector.capabilities().contains(capability);
  }

  void addSecrets(String path, List<String> paths) {
    ConfigBinder.values(
        config,
        (name, option, value) -> {
          if (option.secret()) {
            paths.add(path + "/" + connector.name() + "/" + name);
          }
        });
  }

  /** The source that the options describe. */
  Source source(Access access) {
    SourceType<?> type = connector.source();
    if (type == null) {
      throw new IllegalStateException(connector.name() + " has no source");
    }
    return create(type, access);
  }

  private <T extends Record> Source create(SourceType<T> type, Access access) {
    return type.factory().create(type.config().cast(config), access);
  }

  /** The sink that the options describe. */
  Sink sink(Access access, RunMode mode) {
    SinkType<?> type = connector.sink();
    if (type == null) {
      throw new IllegalStateException(connector.name() + " has no sink");
    }
    return create(type, access, mode);
  }

  private <T extends Record> Sink create(SinkType<T> type, Access access, RunMode mode) {
    return type.factory().create(type.config().cast(config), access, mode);
  }
}
