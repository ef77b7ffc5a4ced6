package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.RetryPolicy;
import dev.drover.runtime.RouteOptions;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Option;
import dev.drover.toolschemas.ToolSchemas;
import dev.drover.transforms.TransformType;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Holds the committed schemas to the code. To write them anew: {@code mvn test -pl mcp-server -am
 * -Dtest=SchemaFilesTest -Dsurefire.failIfNoSpecifiedTests=false -Dschemas=write}.
 */
class SchemaFilesTest {

  private static final Path FOLDER =
      Path.of("../tool-schemas/src/main/resources/dev/drover/toolschemas");

  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, long.class, Integer.class, Long.class);

  private static final Path TRANSFORMS = Path.of("../docs/transform-options.md");

  private static final Path REFERENCE = Path.of("../docs/route-options.md");

  @Test
  void committedFilesAreWhatTheCodeSays() throws IOException {
    Map<String, String> wanted = documents();
    if ("write".equals(System.getProperty("schemas"))) {
      write(wanted);
    }
    Map<String, String> committed = new TreeMap<>();
    for (String name : Files.readAllLines(FOLDER.resolve("index.txt"))) {
      committed.put(name, Files.readString(FOLDER.resolve(name + ".json")));
    }
    assertThat(committed)
        .as("write the files anew with -Dschemas=write, see this test's comment")
        .isEqualTo(wanted);
  }

  @Test
  void theReferenceOfRouteOptionsIsWhatTheCodeSays() throws IOException {
    String wanted =
        "# Options of a route\n\n"
            + "Beside `input` and `output` a route may have these, at its top level. "
            + "On the command line they are `--set NAME=VALUE`, those of `retry` "
            + "`--set retry.NAME=VALUE`. Written by a test from the code; change it there.\n\n"
            + table(RouteOptions.class)
            + "\n`dead_letter` is an endpoint like `output`: the sink for refused rows when "
            + "`on_reject` is `dead_letter`.\n\n## `retry`\n\n"
            + table(RetryPolicy.class);
    if ("write".equals(System.getProperty("schemas"))) {
      Files.writeString(REFERENCE, wanted);
    }
    assertThat(Files.readString(REFERENCE)).isEqualTo(wanted);
  }

  @Test
  void theReferenceOfTransformsIsWhatTheCodeSays() throws IOException {
    StringBuilder wanted =
        new StringBuilder(
            "# Options of transforms\n\nWhat they do: [transforms.md](transforms.md). Written by a "
                + "test from the code; change it there.\n");
    for (TransformType<?> transform : TransformType.all()) {
      wanted.append("\n## `%s`\n\n".formatted(transform.name())).append(table(transform.config()));
    }
    if ("write".equals(System.getProperty("schemas"))) {
      Files.writeString(TRANSFORMS, wanted);
    }
    assertThat(Files.readString(TRANSFORMS)).isEqualTo(wanted.toString());
  }

  private static String table(Class<? extends Record> options) {
    StringBuilder text = new StringBuilder("| option | default | |\n|---|---|---|\n");
    for (RecordComponent component : options.getRecordComponents()) {
      Option option = component.getAnnotation(Option.class);
      String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      String standard = option.defaultValue().isEmpty() ? "" : "`" + option.defaultValue() + "`";
      String choices =
          component.getType().isEnum()
              ? Arrays.stream(component.getType().getEnumConstants())
                  .map(constant -> "`" + constant.toString().toLowerCase(Locale.ROOT) + "`")
                  .collect(Collectors.joining(", ", ": ", ""))
              : "";
      text.append("| `%s` | %s | %s%s |\n".formatted(name, standard, option.value(), choices));
    }
    return text.toString();
  }

  @Test
  void loaderReadsThem() {
    assertThat(ToolSchemas.names())
        .contains("errors", "tools/start_route", "endpoints/file.source");
    assertThat(ToolSchemas.json("errors")).contains("\"route_exists\"");
  }

  private static void write(Map<String, String> documents) throws IOException {
    for (Map.Entry<String, String> document : documents.entrySet()) {
      Path file = FOLDER.resolve(document.getKey() + ".json");
      Files.createDirectories(file.getParent());
      Files.writeString(file, document.getValue());
    }
    Files.writeString(FOLDER.resolve("index.txt"), String.join("\n", documents.keySet()) + "\n");
  }

  private static Map<String, String> documents() {
    Connectors connectors = productConnectors();
    Map<String, String> documents = new TreeMap<>();
    try (Engine engine = new Engine(connectors, FileAccess.unfenced())) {
      RouteTools tools =
          new RouteTools(engine, connectors, List.of(), BuildInfo.current(), Journal.none());
      for (Tool tool : tools.all()) {
        documents.put("tools/" + tool.name(), tool(tool));
      }
    }
    for (Connector connector : connectors.all()) {
      Connector.SourceType<?> source = connector.source();
      if (source != null) {
        documents.put("endpoints/" + connector.name() + ".source", endpoint(source.config()));
      }
      Connector.SinkType<?> sink = connector.sink();
      if (sink != null) {
        documents.put("endpoints/" + connector.name() + ".sink", endpoint(sink.config()));
      }
    }
    for (TransformType<?> transform : TransformType.all()) {
      documents.put("transforms/" + transform.name(), endpoint(transform.config()));
    }
    documents.put("errors", errors());
    documents.put("route", endpoint(RouteOptions.class));
    documents.put("retry", endpoint(RetryPolicy.class));
    return documents;
  }

  private static Connectors productConnectors() {
    return new Connectors(
        Connectors.load().all().stream().filter(c -> !(c instanceof ProbeConnector)).toList());
  }

  private static String tool(Tool tool) {
    JsonWriter json = new JsonWriter().beginObject();
    json.field("name", tool.name()).field("title", tool.title());
    json.field("description", tool.description());
    json.key("inputSchema").raw(tool.inputSchema());
    json.key("outputSchema").raw(tool.outputSchema());
    return pretty(json.endObject());
  }

  private static String errors() {
    JsonWriter json = new JsonWriter().beginArray();
    for (ErrorCode code : ErrorCode.values()) {
      json.beginObject().field("code", code.wire());
      json.field("domain", code.domain().name().toLowerCase(Locale.ROOT));
      json.field("retryable", code.retriable()).endObject();
    }
    return pretty(json.endArray());
  }

  private static String endpoint(Class<? extends Record> config) {
    JsonWriter json = new JsonWriter().beginObject().field("type", "object");
    List<String> required = new ArrayList<>();
    json.key("properties").beginObject();
    options(config, json, required);
    json.endObject();
    if (!required.isEmpty()) {
      json.key("required").any(required);
    }
    return pretty(json.field("additionalProperties", false).endObject());
  }

  private static void options(
      Class<? extends Record> config, JsonWriter json, List<String> required) {
    for (RecordComponent component : config.getRecordComponents()) {
      if (component.getType().isRecord()) {
        options(component.getType().asSubclass(Record.class), json, required);
        continue;
      }
      Option option = component.getAnnotation(Option.class);
      String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      json.key(name).beginObject();
      option(component.getType(), option, json);
      json.endObject();
      if (option.defaultValue().isEmpty()
          && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        required.add(name);
      }
    }
  }

  private static void option(Class<?> type, Option option, JsonWriter json) {
    if (WHOLE.contains(type)) {
      json.field("type", "integer").field("minimum", option.min());
      if (option.max() != Long.MAX_VALUE) {
        json.field("maximum", option.max());
      }
    } else if (type == double.class || type == Double.class) {
      json.field("type", "number").field("minimum", option.min()).field("maximum", option.max());
    } else if (type == boolean.class || type == Boolean.class) {
      json.field("type", "boolean");
    } else if (type == List.class) {
      json.field("type", "array").key("items").beginObject().field("type", "string").endObject();
    } else if (type != Object.class) {
      json.field("type", "string");
    }
    List<String> allowed =
        type.isEnum()
            ? Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                .toList()
            : List.of(option.allowed());
    if (!allowed.isEmpty()) {
      json.key("enum").any(allowed);
    }
    json.field("description", option.value());
    if (!option.defaultValue().isEmpty()) {
      json.field("default", option.defaultValue());
    }
    if (option.secret()) {
      json.field("writeOnly", true);
    }
  }

  /** One key or element a line, so that a change is a readable diff. */
  private static String pretty(JsonWriter json) {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    boolean quoted = false;
    String compact = json.toString();
    for (int i = 0; i < compact.length(); i++) {
      char c = compact.charAt(i);
      boolean empty = i + 1 < compact.length() && "]}".indexOf(compact.charAt(i + 1)) >= 0;
      if (c == '"' && (i == 0 || !escaped(compact, i))) {
        quoted = !quoted;
      }
      if (quoted || "{}[],:".indexOf(c) < 0) {
        text.append(c);
      } else if (c == ':') {
        text.append(": ");
      } else if (c == ',') {
        text.append(c).append('\n').append("  ".repeat(depth));
      } else if (c == '{' || c == '[') {
        text.append(c);
        if (empty) {
          text.append(compact.charAt(++i));
        } else {
          text.append('\n').append("  ".repeat(++depth));
        }
      } else {
        text.append('\n').append("  ".repeat(--depth)).append(c);
      }
    }
    return text.append('\n').toString();
  }

  private static boolean escaped(String text, int at) {
    int slashes = 0;
    while (text.charAt(at - 1 - slashes) == '\\') {
      slashes++;
    }
    return slashes % 2 == 1;
  }
}
