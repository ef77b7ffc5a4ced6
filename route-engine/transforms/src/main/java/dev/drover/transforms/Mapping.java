package dev.drover.transforms;

import dev.drover.spi.Access;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The {@code transform} of other tools: a projection, then a schema. */
final class Mapping {

  private static final Set<String> KEYS = Set.of("path", "default", "required");

  private Mapping() {}

  static List<Transform> of(MappingConfig config, Access access) {
    if (config.expression() != null) {
      throw refused(
          "/expression", "expressions are not supported", "use mapping, schema, filter and set");
    }
    if (config.onError().equals("pass_through")) {
      throw refused(
          "/on_error",
          "pass_through is not supported: a row is cast or refused",
          "leave it out, and set the route's on_reject to skip or dead_letter");
    }
    List<Transform> transforms = new ArrayList<>();
    if (config.mapping() instanceof Map<?, ?> mapping && !mapping.isEmpty()) {
      List<Select.Item> items = new ArrayList<>();
      mapping.forEach((name, value) -> items.add(item(String.valueOf(name), value)));
      transforms.add(new Select(items, -1, List.of(), Map.of()));
      if (items.stream().anyMatch(item -> item.name().indexOf('.') >= 0)) {
        transforms.add(new Nest());
      }
    } else if (config.mapping() instanceof String text) {
      // As it stands in a URI.
      Object tree = JsonTree.read(text, "mapping");
      if (!(tree instanceof Map<?, ?>)) {
        throw refused("/mapping", "mapping is an object", "write {\"new\": \"$.old\"}");
      }
      return of(
          new MappingConfig(
              tree,
              null,
              config.schemaFile(),
              config.schema(),
              config.coerce(),
              config.applyDefaults(),
              config.coerceEmptyAsNull(),
              config.onError()),
          access);
    } else if (config.mapping() != null && !(config.mapping() instanceof Map<?, ?>)) {
      throw refused("/mapping", "mapping is an object", "write {\"new\": \"$.old\"}");
    }
    if (config.schema() != null || config.schemaFile() != null) {
      transforms.add(
          Cast.of(
              new CastConfig(
                  config.schemaFile(),
                  config.schema(),
                  config.coerce(),
                  config.applyDefaults(),
                  config.coerceEmptyAsNull()),
              access));
    }
    if (transforms.isEmpty()) {
      throw new DroverException(
          new Problem(
              ErrorCode.MISSING_OPTION,
              "",
              "transform needs mapping, schema or schema_file",
              "write {\"transform\": {\"mapping\": {\"id\": \"$.id\"}}}"));
    }
    return transforms;
  }

  private static DroverException refused(String path, String why, String suggestion) {
    return new DroverException(new Problem(ErrorCode.NOT_SUPPORTED, path, why, suggestion));
  }

  private static Select.Item item(String name, Object value) {
    try {
      if (!(value instanceof Map<?, ?> map)) {
        return new Select.Item(name, FieldPath.parse(String.valueOf(value)), null, false);
      }
      for (Object key : map.keySet()) {
        if (!KEYS.contains(String.valueOf(key))) {
          throw new DroverException(
              new Problem(
                  ErrorCode.UNKNOWN_OPTION,
                  "/" + key,
                  "there is no option '%s'".formatted(Shown.cut(String.valueOf(key))),
                  "there are path, default and required"));
        }
      }
      if (!(map.get("path") instanceof String path)) {
        throw new DroverException(
            new Problem(
                ErrorCode.MISSING_OPTION, "/path", "option 'path' is required", "write \"$.a.b\""));
      }
      String standard = map.containsKey("default") ? JsonTree.write(map.get("default")) : null;
      return new Select.Item(
          name, FieldPath.parse(path), standard, Boolean.TRUE.equals(map.get("required")));
    } catch (DroverException e) {
      throw new DroverException(e.problem().under("/mapping/" + name));
    }
  }
}
