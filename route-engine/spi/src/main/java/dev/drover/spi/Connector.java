package dev.drover.spi;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The code for one system. Found by {@link java.util.ServiceLoader}, created once a process, used
 * by any thread.
 */
public interface Connector {

  /** The key of an endpoint in a route, lower snake case. */
  String name();

  /** Other keys that mean the same connector. */
  default List<String> aliases() {
    return List.of();
  }

  Set<Capability> capabilities();

  /** How to read from the system; null if this connector has no source. */
  default @Nullable SourceType<?> source() {
    return null;
  }

  /** How to write to the system; null if this connector has no sink. */
  default @Nullable SinkType<?> sink() {
    return null;
  }

  /**
   * A source and its options.
   *
   * @param config a record whose components carry {@link Option}
   */
  record SourceType<C extends Record>(Class<C> config, SourceFactory<C> factory) {}

  /**
   * A sink and its options.
   *
   * @param config a record whose components carry {@link Option}
   */
  record SinkType<C extends Record>(Class<C> config, SinkFactory<C> factory) {}

  /** Makes a source. */
  @FunctionalInterface
  interface SourceFactory<C extends Record> {
    /**
     * Checks what can be checked before a run starts; opens nothing that needs closing.
     *
     * @throws DroverException if the source cannot work: no such file, no right to read, …; the
     *     path of its problem is the option's, such as {@code /path}
     */
    Source create(C config, Access access);
  }

  /** Makes a sink. */
  @FunctionalInterface
  interface SinkFactory<C extends Record> {
    /**
     * Checks what can be checked before a run starts; opens nothing that needs closing and leaves
     * the target as it is.
     *
     * @throws DroverException if the sink cannot work: no such folder, file exists, …; the path of
     *     its problem is the option's
     */
    Sink create(C config, Access access, RunMode mode);
  }
}
