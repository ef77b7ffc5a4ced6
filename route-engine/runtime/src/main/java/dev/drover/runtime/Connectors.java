package dev.drover.runtime;

import dev.drover.spi.Connector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The connectors of this process. Immutable. */
public final class Connectors {

  private final List<Connector> all;
  private final Map<String, Connector> byName = new LinkedHashMap<>();

  /**
   * @throws IllegalArgumentException if two claim the same name
   */
  public Connectors(Collection<? extends Connector> connectors) {
    List<Connector> sorted = new ArrayList<>(connectors);
    sorted.sort((a, b) -> a.name().compareTo(b.name()));
    all = List.copyOf(sorted);
    for (Connector connector : all) {
      add(connector.name(), connector);
      connector.aliases().forEach(alias -> add(alias, connector));
    }
  }

  private void add(String name, Connector connector) {
    if (byName.putIfAbsent(name, connector) != null) {
      throw new IllegalArgumentException("two connectors are named " + name);
    }
  }

  /** Those that {@link ServiceLoader} finds on the class path. */
  public static Connectors load() {
    return new Connectors(
        ServiceLoader.load(Connector.class, Connectors.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /** The connector of this name or alias; null if there is none. */
  public @Nullable Connector find(String name) {
    return byName.get(name);
  }

  /** All, by name. */
  public List<Connector> all() {
    return all;
  }

  /** Names and aliases. */
  Collection<String> names() {
    return byName.keySet();
  }
}
