package dev.drover.connectors.file;

import dev.drover.spi.Access;
import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import dev.drover.spi.RunMode;
import dev.drover.spi.Sink;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files of records. A source ends with its file or follows it as it grows. A sink writes {@code
 * NAME.part} and renames it at the end, so that nobody reads half a file and a failed run leaves
 * the old one; or it appends, and keeps the checkpoint in {@code NAME.drover}.
 */
public final class FileConnector implements Connector {

  @Override
  public String name() {
    return "file";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.RESUME, Capability.FOLLOW);
  }

  @Override
  public @Nullable SourceType<?> source() {
    return new SourceType<>(FileSourceConfig.class, FileSource::new);
  }

  @Override
  public @Nullable SinkType<?> sink() {
    return new SinkType<>(FileSinkConfig.class, FileConnector::sink);
  }

  private static Sink sink(FileSinkConfig config, Access access, RunMode mode) {
    return config.path().equals(SourceFiles.STANDARD)
        ? new StandardSink(config, access, mode)
        : new FileSink(config, access, mode);
  }
}
