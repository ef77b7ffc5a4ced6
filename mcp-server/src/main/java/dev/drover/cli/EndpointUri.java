package dev.drover.cli;

import dev.drover.runtime.Connectors;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one end of a route as it is written on the command line: a path, or {@code
 * CONNECTOR://PLACE?option=value&option=value}; a dash, maybe with {@code ?option=value}, is
 * standard input or output. A path is taken literally; in a URI, {@code %} and two hex digits stand
 * for a byte.
 */
final class EndpointUri {

  private static final Pattern SCHEME =
      Pattern.compile("[A-Za-z][A-Za-z0-9+._-]+:.*", Pattern.DOTALL);
  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:[\\\\/].*", Pattern.DOTALL);
  private static final int SHOWN = 60;

  /** What stands for standard input or output. */
  private static final String STANDARD = "-";

  private static final Pattern STANDARD_URI =
      Pattern.compile("(?:[Ff][Ii][Ll][Ee]:)?-(?:\\?.*)?", Pattern.DOTALL);

  /** Whether a text stands for standard input or output, with options or without. */
  static boolean isStandard(@Nullable String text) {
    return text != null && STANDARD_URI.matcher(text).matches();
  }

  /** The same as a URI, which no parser of options takes for one. */
  static String standardAsUri(String text) {
    return isStandard(text) && text.startsWith(STANDARD) ? "file:" + text : text;
  }

  /** Which end of a route. */
  enum Part {
    SOURCE("/input"),
    TARGET("/output"),
    DEAD_LETTER("/dead_letter");

    private final String path;

    Part(String path) {
      this.path = path;
    }
  }

  private final Connectors connectors;
  private final Part part;
  private final boolean source;
  private final List<Problem> problems;
  private final List<Object> transforms = new ArrayList<>();

  /**
   * @param part which end of the route is read
   * @param problems takes what is found; their paths lie under {@code /input}, {@code /output} or
   *     {@code /dead_letter}
   */
  EndpointUri(Connectors connectors, Part part, List<Problem> problems) {
    this.connectors = connectors;
    this.part = part;
    this.source = part == Part.SOURCE;
    this.problems = problems;
  }

  /**
   * The endpoint as a route has it, {@code {CONNECTOR: {option: value}}}; null if a problem was
   * found.
   */
  @Nullable Map<String, Object> read(String text) {
    int before = problems.size();
    Map<String, Object> endpoint = parse(text);
    return problems.size() == before ? endpoint : null;
  }

  /** What stood behind bars, as a route has it under {@code transforms}. */
  List<Object> transforms() {
    return transforms;
  }

  private Map<String, Object> parse(String text) {
    if (text.isEmpty()) {
      return problem(ErrorCode.INVALID_ARGUMENT, "is empty", "give a path or a URI");
    }
    boolean uri = SCHEME.matcher(text).matches() && !DRIVE.matcher(text).matches();
    if (!uri && exists(text)) {
      return file(text, Map.of());
    }
    int bar = text.indexOf('|');
    if (bar >= 0 && part == Part.DEAD_LETTER) {
      return problem(
          ErrorCode.NOT_SUPPORTED,
          "'|' starts a transform, and refused rows are stored as they are",
          "leave it out; a bar in a name is written %7C in a URI: file:///a%7Cb.csv");
    }
    if (bar >= 0) {
      for (String transform : text.substring(bar + 1).split("\\|", -1)) {
        transform(transform);
      }
      return parse(text.substring(0, bar));
    }
    if (isStandard(text)) {
      int query = text.indexOf('?');
      return file(STANDARD, query < 0 ? Map.of() : options(text.substring(query + 1)));
    }
    if (text.contains("${")) {
      return problem(
          ErrorCode.NOT_SUPPORTED,
          "'${' starts a placeholder, which is not supported yet",
          "let the shell put the value in; a dollar sign in a name is written %24 in a URI");
    }
    int query = text.indexOf('?');
    String place = query < 0 ? text : text.substring(0, query);
    Map<String, Object> options = query < 0 ? Map.of() : options(text.substring(query + 1));
    return uri ? connector(place, options) : file(place, options);
  }

  /** {@code KIND?option=value}. */
  private void transform(String text) {
    int query = text.indexOf('?');
    String kind = (query < 0 ? text : text.substring(0, query)).strip();
    if (kind.isEmpty()) {
      problem(
          ErrorCode.INVALID_ARGUMENT,
          "'|' starts a transform, and nothing stands behind it",
          "write |filter?expression=amount>10; a bar in a name is written %7C in a URI");
      return;
    }
    transforms.add(Map.of(kind, query < 0 ? Map.of() : options(text.substring(query + 1))));
  }

  private static boolean exists(String path) {
    try {
      return Files.exists(Path.of(path));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private Map<String, Object> connector(String place, Map<String, Object> options) {
    int colon = place.indexOf(':');
    String name = place.substring(0, colon).toLowerCase(Locale.ROOT).replace('-', '_');
    String rest = place.substring(colon + 1);
    if (name.equals("file")) {
      return file(filePath(rest), options);
    }
    if (rest.startsWith("//")) {
      rest = rest.substring(2);
    }
    String value = decode(rest);
    Connector connector = connectors.find(name);
    String option = connector == null || value.isEmpty() ? null : placeOption(connector);
    if (option == null) {
      // The route's reader knows all connectors and says what is wrong with this one.
      return Map.of(name, options);
    }
    return Map.of(name, with(option, value, options));
  }

  private Map<String, Object> file(String path, Map<String, Object> options) {
    return Map.of("file", with("path", path, options));
  }

  private Map<String, Object> with(String option, String value, Map<String, Object> options) {
    if (options.containsKey(option)) {
      return problem(
          ErrorCode.INVALID_ARGUMENT,
          "'%s' is given twice, as '%s' and behind '?'".formatted(option, cut(value)),
          "leave out ?" + option + "=");
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(option, value);
    all.putAll(options);
    return all;
  }

  /**
   * What stands behind {@code file:}: {@code ///a}, {@code //localhost/a}, {@code /a} or {@code a}.
   */
  private String filePath(String rest) {
    if (!rest.startsWith("//")) {
      return decode(rest);
    }
    int slash = rest.indexOf('/', 2);
    String host = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
    if (host.equals("~") || host.equals(".") || host.equals("..")) {
      return decode(rest.substring(2));
    }
    if (slash < 0 || !(host.isEmpty() || host.equalsIgnoreCase("localhost"))) {
      problem(
          ErrorCode.INVALID_ARGUMENT,
          "'file://%s' names a host, not a file".formatted(cut(rest.substring(2))),
          "write three slashes, file:///folder/name, or only the path");
      return "";
    }
    return decode(rest.substring(slash));
  }

  /** The first option of a connector is the one that says where. */
  private @Nullable String placeOption(Connector connector) {
    Connector.SourceType<?> sourceType = connector.source();
    Connector.SinkType<?> sinkType = connector.sink();
    RecordComponent[] components;
    if (source && sourceType != null) {
      components = sourceType.config().getRecordComponents();
    } else if (!source && sinkType != null) {
      components = sinkType.config().getRecordComponents();
    } else {
      return null;
    }
    if (components.length == 0) {
      problem(
          ErrorCode.INVALID_ARGUMENT,
          "'%s:' takes nothing behind it".formatted(connector.name()),
          null);
      return null;
    }
    return components[0].getName();
  }

  private Map<String, Object> options(String query) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (pair.isEmpty()) {
        continue;
      }
      if (equals <= 0) {
        problem(
            ErrorCode.INVALID_ARGUMENT,
            "'%s' behind '?' is no option".formatted(cut(pair)),
            "write ?name=value, more of them with &");
        continue;
      }
      String name = decode(pair.substring(0, equals));
      if (options.put(name, decode(pair.substring(equals + 1))) != null) {
        problem(
            ErrorCode.INVALID_ARGUMENT, "option '%s' is given twice".formatted(cut(name)), null);
      }
    }
    return options;
  }

  private String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer decoded = ByteBuffer.allocate(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '%') {
        decoded.put(bytes[i]);
        continue;
      }
      int high = i + 2 <= bytes.length - 1 ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 <= bytes.length - 1 ? Character.digit(bytes[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        problem(
            ErrorCode.INVALID_ARGUMENT,
            "'%%' without two hex digits in '%s'".formatted(cut(text)),
            "write %25 for a percent sign in a URI");
        return text;
      }
      decoded.put((byte) ((high << 4) | low));
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString();
    } catch (CharacterCodingException e) {
      problem(
          ErrorCode.INVALID_ARGUMENT, "'%s' is no UTF-8 when decoded".formatted(cut(text)), null);
      return text;
    }
  }

  private Map<String, Object> problem(ErrorCode code, String message, @Nullable String suggestion) {
    problems.add(new Problem(code, part.path, message, suggestion, List.of()));
    return Map.of();
  }

  private static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
