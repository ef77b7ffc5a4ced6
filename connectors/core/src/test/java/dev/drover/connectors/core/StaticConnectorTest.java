package dev.drover.connectors.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.SpecException;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Type;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.SourceContract;
import dev.drover.testkit.TestRuns;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StaticConnectorTest extends SourceContract {

  private final Connector connector = new StaticConnector();

  @Override
  protected Connector connector() {
    return connector;
  }

  @Override
  protected boolean repeatsOneRow() {
    return true;
  }

  @Override
  protected Map<String, ?> endpointWith(List<String> fields, List<List<String>> rows) {
    Map<String, String> body = new LinkedHashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      body.put(fields.get(i), rows.isEmpty() ? "" : rows.getFirst().get(i));
    }
    return Map.of("static", Map.of("body", body, "count", rows.size()));
  }

  @Test
  void typesItsValues() {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("text", "a");
    body.put("number", 42);
    body.put("flag", true);
    body.put("nothing", null);
    Collected collected = new Collected();
    runs().run(Map.of("static", Map.of("body", body, "count", "2")), TestRuns.collect(collected));
    assertThat(collected.rows())
        .isEqualTo(
            List.of(Arrays.asList("a", "42", "1", null), Arrays.asList("a", "42", "1", null)));
    assertThat(collected.schemas().getFirst().fields())
        .extracting(field -> field.type())
        .containsExactly(Type.STRING, Type.INT64, Type.BOOL, Type.STRING);
  }

  @Test
  void aBareTextIsAPayload() {
    Collected collected = new Collected();
    runs().run(Map.of("static", "hello"), TestRuns.collect(collected));
    assertThat(collected.rows()).isEqualTo(List.of(List.of("hello")));
    assertThat(collected.schemas().getFirst().fields().getFirst().name()).isEqualTo("payload");
  }

  @Test
  void refusesNestedValues() {
    assertThatThrownBy(
            () ->
                runs()
                    .run(
                        Map.of("static", Map.of("body", Map.of("a", List.of(1)))),
                        TestRuns.collect(new Collected())))
        .isInstanceOfSatisfying(
            SpecException.class,
            e -> {
              assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
              assertThat(e.problems().getFirst().path()).isEqualTo("/input/static/body/a");
            });
  }
}
