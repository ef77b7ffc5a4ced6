package dev.drover.bench.lab.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A route as lines {@code output.file.path=…}: what a process reads that is started some hundred
 * times, as a JSON parser takes longer to load than the engine.
 */
final class RouteText {

  private RouteText() {}

  /** Each value that is no map, with the keys that lead there. */
  static List<String> lines(Map<String, ?> route) {
    List<String> lines = new ArrayList<>();
    add("", route, lines);
    return lines;
  }

  private static void add(String prefix, Map<?, ?> map, List<String> lines) {
    map.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner) {
            add(prefix + key + ".", inner, lines);
          } else {
            lines.add(prefix + key + "=" + value);
          }
        });
  }

  /** The same route again; numbers and booleans have become text, which options are read from. */
  static Map<String, Object> parse(List<String> lines) {
    Map<String, Object> route = new LinkedHashMap<>();
    for (String line : lines) {
      int equals = line.indexOf('=');
      put(route, line.substring(0, equals), line.substring(equals + 1));
    }
    return route;
  }

  private static void put(Map<String, Object> into, String path, String value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      into.put(path, value);
      return;
    }
    Map<String, Object> inner = new LinkedHashMap<>();
    if (into.get(path.substring(0, dot)) instanceof Map<?, ?> before) {
      before.forEach((key, kept) -> inner.put((String) key, kept));
    }
    put(inner, path.substring(dot + 1), value);
    into.put(path.substring(0, dot), inner);
  }
}
