package dev.drover.bench.lab.faults;

import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes to a {@link Ledger}, which lives in the memory of another process on this machine. */
public final class LedgerConnector implements Connector {

  @Override
  public String name() {
    return "ledger";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public @Nullable SinkType<?> sink() {
    return new SinkType<>(
        LedgerConfig.class,
        (config, access, mode) ->
            new LedgerSink(config, config.keepsCheckpoint() && mode.resumable()));
  }
}
