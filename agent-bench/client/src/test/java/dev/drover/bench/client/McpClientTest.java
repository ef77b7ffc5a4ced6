package dev.drover.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class McpClientTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static McpClient server(Duration replyTimeout, String... answers) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ScriptedServer.class.getName());
    command.addAll(List.of(answers));
    return McpClient.start(command, replyTimeout, ProcessBuilder.Redirect.DISCARD);
  }

  private static String tool(String text, boolean isError) {
    return """
    {"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"%s"}],"isError":%s}}"""
        .formatted(text.replace("\"", "\\\""), isError);
  }

  @Test
  void readsTheDocumentInTheTextAndCountsBothWays() throws IOException {
    String first =
        "{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{\"protocolVersion\":\"2024-11-05\"}}";
    String second = tool("{\"a\":1}", false);
    try (McpClient client = server(LONG, first, second)) {
      McpClient.Reply opened = client.initialize(McpClient.OLDEST_PROTOCOL);
      assertThat(opened.value().path("protocolVersion").asString()).isEqualTo("2024-11-05");

      McpClient.Reply reply = client.require("t", Map.of("k", "ü"));
      assertThat(reply.value().path("a").asInt()).isEqualTo(1);
      assertThat(reply.nanos()).isPositive();
      assertThat(reply.replyBytes()).isEqualTo(second.length() - "{id}".length() + 2);
      String request =
          "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
              + "{\"name\":\"t\",\"arguments\":{\"k\":\"ü\"}}}\n";
      assertThat(reply.requestBytes()).isEqualTo(request.length() + 1);
      assertThat(client.end()).isZero();
    }
  }

  @Test
  void skipsMessagesOfOtherKinds() throws IOException {
    String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";
    try (McpClient client = server(LONG, "\n" + notification + "\n" + tool("{}", false))) {
      assertThat(client.require("t", Map.of()).value().isObject()).isTrue();
    }
  }

  @Test
  void showsWhatAFailedToolSays() throws IOException {
    String error = tool("{\"error\":{\"code\":\"no_such_route\"}}", true);
    try (McpClient client = server(LONG, error, error)) {
      assertThat(client.call("t", Map.of()).isError()).isTrue();
      assertThatThrownBy(() -> client.require("t", Map.of()))
          .isInstanceOf(McpException.class)
          .hasMessageContaining("t failed")
          .hasMessageContaining("no_such_route");
    }
  }

  @Test
  void tellsARefusal() throws IOException {
    String error =
        "{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{\"code\":-32601,\"message\":\"no\"}}";
    try (McpClient client = server(LONG, error)) {
      assertThatThrownBy(() -> client.request("odd/method", "{}"))
          .isInstanceOf(McpException.class)
          .hasMessageContaining("odd/method was refused")
          .hasMessageContaining("-32601");
    }
  }

  @Test
  void refusesALineThatIsNoJson() throws IOException {
    try (McpClient client = server(LONG, "Listening on port 80")) {
      assertThatThrownBy(() -> client.request("ping", "{}"))
          .isInstanceOf(McpException.class)
          .hasMessageContaining("not JSON: Listening on port 80");
    }
  }

  @Test
  void tellsThatTheServerEnded() throws IOException {
    try (McpClient client = server(LONG, "exit")) {
      assertThatThrownBy(() -> client.request("ping", "{}"))
          .isInstanceOf(McpException.class)
          .hasMessage("the server ended before it answered ping (exit code 3)");
    }
  }

  @Test
  void killsAServerThatStaysSilent() throws IOException {
    try (McpClient client = server(Duration.ofMillis(300), "silence")) {
      assertThatThrownBy(() -> client.request("ping", "{}"))
          .isInstanceOf(McpException.class)
          .hasMessage("no reply to ping within 300 ms; the server was killed");
      assertThat(client.end()).isNotNull();
    }
  }

  @Test
  void percentilesAreByNearestRank() {
    double[] values = new double[200];
    for (int i = 0; i < values.length; i++) {
      values[i] = values.length - i;
    }
    assertThat(Percentiles.of(values))
        .isEqualTo(new Percentiles(200, 1.0, 100.0, 190.0, 198.0, 200.0));
  }
}
