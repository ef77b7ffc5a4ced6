package dev.drover.transforms;

import dev.drover.spi.Access;
import java.util.List;
import java.util.Map;

/**
 * A kind of transform and its options.
 *
 * @param name the key of a transform in a route, a verb in lower snake case
 * @param config a record whose components carry {@link dev.drover.spi.Option}
 * @param whole whether what stands behind the name is, as a whole, the value of the first option
 */
public record TransformType<C extends Record>(
    String name, Class<C> config, boolean whole, Factory<C> factory) {

  /** Makes transforms of the options. */
  @FunctionalInterface
  public interface Factory<C extends Record> {
    /**
     * @return what to apply, in order
     * @throws dev.drover.spi.DroverException if the options make no sense; the path of its problem
     *     is the option's
     */
    List<Transform> create(C config, Access access);
  }

  /** As {@link Factory#create}, of options that were bound to {@link #config}. */
  public List<Transform> create(Record bound, Access access) {
    return factory.create(config.cast(bound), access);
  }

  /** All kinds, in the order in which they are shown. */
  public static List<TransformType<?>> all() {
    return ALL;
  }

  private static final List<TransformType<?>> ALL =
      List.of(
          type("cast", CastConfig.class, (config, access) -> List.of(Cast.of(config, access))),
          type(
              "infer",
              InferConfig.class,
              (config, access) -> List.of(new Infer(config.inferRows()))),
          type("select", SelectConfig.class, (config, access) -> List.of(Select.of(config))),
          type("filter", FilterConfig.class, (config, access) -> List.of(Filter.of(config))),
          new TransformType<>(
              "set",
              SetConfig.class,
              true,
              (config, access) ->
                  List.of(
                      SetFields.of(
                          config.fields() instanceof Map<?, ?> map ? map : Map.of(), access))),
          type("explode", ExplodeConfig.class, (config, access) -> List.of(Explode.of(config))),
          type("flatten", FlattenConfig.class, (config, access) -> List.of(Flatten.of(config))),
          type("transform", MappingConfig.class, Mapping::of));

  private static <C extends Record> TransformType<C> type(
      String name, Class<C> config, Factory<C> factory) {
    return new TransformType<>(name, config, false, factory);
  }
}
