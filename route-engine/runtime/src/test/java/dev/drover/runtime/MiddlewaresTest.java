package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import dev.drover.spi.DroverException;
import dev.drover.spi.Option;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Documents as other tools have them, from {@code transforms/middlewares.json}. */
class MiddlewaresTest {

  private static final JsonMapper MAPPER = new JsonMapper();

  record Place(@Option("where") String path) {}

  /** Binding only; nothing is ever created. */
  private static final class Both implements Connector {
    @Override
    public String name() {
      return "both";
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public @Nullable SourceType<?> source() {
      return new SourceType<>(
          Place.class,
          (config, access) -> {
            throw new AssertionError();
          });
    }

    @Override
    public @Nullable SinkType<?> sink() {
      return new SinkType<>(
          Place.class,
          (config, access, mode) -> {
            throw new AssertionError();
          });
    }
  }

  private static Stream<Arguments> documents(String kind) throws IOException {
    try (InputStream in =
        MiddlewaresTest.class.getResourceAsStream("/transforms/middlewares.json")) {
      List<Arguments> documents = new ArrayList<>();
      for (JsonNode one : MAPPER.readTree(in).get(kind)) {
        documents.add(Arguments.of(one.get("side").asString() + " " + one.get("middlewares"), one));
      }
      return documents.stream();
    }
  }

  static Stream<Arguments> accepted() throws IOException {
    return documents("accepted");
  }

  static Stream<Arguments> refused() throws IOException {
    return documents("refused");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("accepted")
  void isUnderstood(String name, JsonNode one) {
    RouteSpec spec = read(one);
    spec.transforms().forEach(transform -> transform.create(FileAccess.unfenced()));
    List<String> kinds = new ArrayList<>();
    one.get("becomes").forEach(kind -> kinds.add(kind.asString()));
    assertThat(spec.transforms().stream().map(transform -> transform.type().name()))
        .isEqualTo(kinds);
    if (one.has("max_attempts")) {
      assertThat(spec.retry().maxAttempts()).isEqualTo(one.get("max_attempts").asInt());
    }
    EndpointSpec<?> letters = spec.deadLetter();
    if (one.has("dead_letter")) {
      assertThat(spec.options().onReject()).isEqualTo(OnReject.DEAD_LETTER);
      assertThat(letters == null ? null : letters.config())
          .isEqualTo(new Place(one.get("dead_letter").asString()));
    } else {
      assertThat(letters).isNull();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void isRefused(String name, JsonNode one) {
    List<Problem> problems = new ArrayList<>();
    SpecException unread = catchThrowableOfType(SpecException.class, () -> create(one, problems));
    if (unread != null) {
      problems.addAll(unread.problems());
    }
    assertThat(problems).isNotEmpty();
    assertThat(problems.toString()).contains(one.get("error").asString());
    assertThat(problems.getFirst().path())
        .startsWith("/" + one.get("side").asString() + "/middlewares");
  }

  private static void create(JsonNode one, List<Problem> problems) {
    for (TransformSpec transform : read(one).transforms()) {
      try {
        transform.create(FileAccess.unfenced());
      } catch (DroverException e) {
        problems.add(e.problem().under(transform.path()));
      }
    }
  }

  private static RouteSpec read(JsonNode one) {
    Map<String, Object> route = new LinkedHashMap<>();
    for (String side : List.of("input", "output")) {
      Map<String, Object> endpoint = new LinkedHashMap<>();
      endpoint.put("both", Map.of("path", side));
      if (side.equals(one.get("side").asString())) {
        endpoint.put("middlewares", MAPPER.convertValue(one.get("middlewares"), Object.class));
      }
      route.put(side, endpoint);
    }
    return new RouteReader(new Connectors(List.of(new Both())), WriteMode.CREATE)
        .read(route, "n", RouteReader.Overrides.NONE, "");
  }
}
