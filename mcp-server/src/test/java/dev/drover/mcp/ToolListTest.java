package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client is told before it calls anything. */
class ToolListTest {

  private static String list(String revision) throws Exception {
    try (TestClient client = TestClient.connect().initialize(revision)) {
      client.request("tools/list", "{}");
      return client.line();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2024-11-05", "2025-11-25"})
  void isSmallAndAlwaysTheSame(String revision) throws Exception {
    String first = list(revision);
    assertThat(first.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(6000);
    assertThat(list(revision)).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2024-11-05", "2025-11-25"})
  void declaresEverything(String revision) throws Exception {
    boolean structured = revision.equals("2025-11-25");
    List<Json> tools = Json.of(list(revision)).object("result").list("tools");
    assertThat(tools.stream().map(tool -> tool.get("name")))
        .containsExactly("start_route", "route_status", "wait_route", "stop_route", "server_info");
    for (Json tool : tools) {
      assertThat(tool.object("annotations").keys())
          .contains("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");
      assertThat(tool.object("inputSchema").get("type")).isEqualTo("object");
      assertThat(tool.keys().contains("outputSchema")).isEqualTo(structured);
      assertThat(String.valueOf(tool.get("description")).length()).isLessThanOrEqualTo(600);
    }
  }

  @Test
  void instructionsFitEveryClient() {
    assertThat(SdkServer.INSTRUCTIONS.length()).isLessThanOrEqualTo(512);
  }
}
