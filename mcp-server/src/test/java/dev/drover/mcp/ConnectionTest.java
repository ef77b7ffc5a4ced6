package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients do to a server, over pipes of the operating system. */
class ConnectionTest {

  private static final String IDLE = "{\"input\":{\"probe\":{}},\"output\":{\"probe\":{}}}";

  private TestClient client;

  @BeforeEach
  void connect() throws Exception {
    client = TestClient.connect().initialize("2024-11-05");
  }

  @AfterEach
  void close() throws Exception {
    client.close();
  }

  private void assertAlive() throws Exception {
    assertThat(client.call("route_status", "{}").keys()).isEqualTo(List.of("routes"));
  }

  private void startIdle(String name) throws Exception {
    client.call("start_route", "{\"name\":\"%s\",\"route\":%s}".formatted(name, IDLE));
  }

  @Test
  void skipsBlankLines() throws Exception {
    client.send("");
    client.send("   \t ");
    client.send("\r");
    assertAlive();
  }

  @Test
  void takesByteOrderMarkAndCarriageReturn() throws Exception {
    client.send("\ufeff{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}\r");
    assertThat(client.line()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{", "hello", "{\"jsonrpc\":\"2.0\",}", "{} {}", "\u0000", "{\"a\":\"", "NaN"})
  void answersWhatIsNoJson(String line) throws Exception {
    client.send(line);
    Json answer = client.receive();
    assertThat(answer.at("error", "code")).isEqualTo(-32700L);
    assertThat(answer.keys()).contains("id");
    assertThat(answer.get("id")).isNull();
    assertAlive();
  }

  @Test
  void answersBytesThatAreNoText() throws Exception {
    client.sendBytes(new byte[] {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}', '\n'});
    assertThat(client.receive().at("error", "code")).isEqualTo(-32700L);
    assertAlive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|batch",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]|batch",
        "1|object",
        "null|object",
        "{}|no method",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}|id",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}|id",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}|id",
        "{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901,\"method\":\"ping\"}|id",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}|2.0",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}|no method",
      })
  void answersWhatIsNoRequest(String line, String text) throws Exception {
    client.send(line);
    Json answer = client.receive();
    assertThat(answer.at("error", "code")).isEqualTo(-32600L);
    assertThat(answer.at("error", "message")).asString().contains(text);
    assertAlive();
  }

  @Test
  void answersDeepNesting() throws Exception {
    client.send("[".repeat(100_000));
    Json answer = client.receive();
    assertThat(answer.at("error", "code")).isEqualTo(-32600L);
    assertThat(answer.at("error", "message")).asString().contains("max_json_depth (200)");
    assertAlive();
  }

  @Test
  void answersLineOfTwentyMegabytes() throws Exception {
    byte[] large = new byte[20_000_001];
    Arrays.fill(large, (byte) 'x');
    large[large.length - 1] = '\n';
    client.sendBytes(large);
    Json answer = client.receive();
    assertThat(answer.at("error", "code")).isEqualTo(-32600L);
    assertThat(answer.at("error", "message")).asString().contains("max_message_bytes (16777216)");
    assertAlive();
  }

  @Test
  void takesLineJustBelowTheLimit() throws Exception {
    String filler = "x".repeat(16_000_000);
    client.send(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"filler\":\"%s\"}}"
            .formatted(filler));
    assertThat(client.receive().keys()).isEqualTo(List.of("jsonrpc", "id", "result"));
  }

  @Test
  void ignoresNotificationsAndAnswers() throws Exception {
    client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}");
    client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/whatever\",\"params\":[1]}");
    client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");
    client.send(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}");
    client.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
    client.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":1,\"message\":\"no\"}}");
    assertAlive();
  }

  @Test
  void answersUnknownMethodAndTool() throws Exception {
    client.request("foo/bar", "{}");
    assertThat(client.receive().at("error", "code")).isEqualTo(-32601L);
    client.request("tools/call", "{\"name\":\"start_rout\"}");
    Json answer = client.receive();
    assertThat(answer.at("error", "code")).isEqualTo(-32602L);
    assertThat(answer.at("error", "message")).asString().contains("did you mean 'start_route'?");
    client.request("tools/call", "[]");
    assertThat(client.receive().at("error", "code")).isEqualTo(-32602L);
    client.request("tools/call", "null");
    assertThat(client.receive().at("error", "code")).isEqualTo(-32602L);
  }

  @Test
  void refusesTheProbeOfNewerClientsAtOnce() throws Exception {
    try (TestClient newer = TestClient.connect()) {
      String version = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"";
      newer.request("server/discover", "{\"_meta\":{%s}}".formatted(version));
      assertThat(newer.receive().at("error", "code")).isEqualTo(-32601L);
      newer.request("tools/list", "{\"_meta\":{%s}}".formatted(version));
      Json answer = newer.receive();
      assertThat(answer.at("error", "code")).isEqualTo(-32022L);
      assertThat(answer.at("error", "data", "requested")).isEqualTo("2026-07-28");
      newer.initialize("2025-11-25");
      assertThat(newer.call("route_status", "{}").keys()).isEqualTo(List.of("routes"));
    }
  }

  @Test
  void answersBeforeAndDuringTheHandshake() throws Exception {
    try (TestClient early = TestClient.connect()) {
      early.request("ping", "{}");
      assertThat(early.receive().keys()).isEqualTo(List.of("jsonrpc", "id", "result"));
      early.request("tools/list", "{}");
      assertThat(early.receive().at("error", "message")).asString().contains("initialize first");
      early.begin("route_status", "{}");
      assertThat(early.receive().at("error", "code")).isEqualTo(-32600L);
      early.request(
          "initialize",
          "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"strange\":{}},"
              + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}");
      assertThat(early.receive().at("result", "protocolVersion")).isEqualTo("2025-06-18");
      // The client's notification is still on its way.
      early.request("tools/list", "{}");
      assertThat(early.receive().object("result").list("tools")).hasSize(5);
      assertThat(early.call("route_status", "{}").keys()).isEqualTo(List.of("routes"));
    }
  }

  @Test
  void answersMalformedHandshake() throws Exception {
    try (TestClient early = TestClient.connect()) {
      for (String params :
          List.of("{}", "null", "5", "{\"protocolVersion\":5}", "{\"capabilities\":7}")) {
        early.request("initialize", params);
        Json answer = early.receive();
        assertThat(answer.keys()).containsAnyOf("error", "result");
        assertThat(answer.toString()).doesNotContain("jackson").doesNotContain("modelcontext");
      }
      early.initialize("2024-11-05");
      assertThat(early.call("route_status", "{}").keys()).isEqualTo(List.of("routes"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
  void saysTheSameInTextAndStructure(String revision) throws Exception {
    try (TestClient other = TestClient.connect().initialize(revision)) {
      other.begin("server_info", "{}");
      Json result = other.receive().object("result");
      if (revision.compareTo("2025-06-18") < 0) {
        assertThat(result.keys()).isEqualTo(List.of("content"));
      } else {
        assertThat(result.object("structuredContent")).isEqualTo(result.text());
      }
      other.begin("stop_route", "{\"name\":\"none\"}");
      Json refused = other.receive().object("result");
      assertThat(refused.get("isError")).isEqualTo(true);
      assertThat(refused.text().keys()).isEqualTo(List.of("error"));
    }
  }

  @Test
  void waitingHoldsUpNobody() throws Exception {
    startIdle("a");
    long waiting = client.begin("wait_route", "{\"name\":\"a\",\"timeout_ms\":600000}");
    for (int i = 0; i < 50; i++) {
      assertThat(client.call("route_status", "{\"name\":\"a\"}").get("finished")).isEqualTo(false);
    }
    client.begin("stop_route", "{\"name\":\"a\",\"mode\":\"now\"}");
    Json first = client.receive();
    Json second = client.receive();
    Json waited = Long.valueOf(waiting).equals(first.get("id")) ? first : second;
    assertThat(waited.object("result").text().get("outcome")).isEqualTo("stopped");
  }

  @Test
  void timeOutOfWaitIsNormal() throws Exception {
    startIdle("a");
    Json reply = client.call("wait_route", "{\"name\":\"a\",\"timeout_ms\":1}");
    assertThat(reply.get("finished")).isEqualTo(false);
    assertThat(reply.get("outcome")).isNull();
  }

  @Test
  void cancelEndsTheWaitAndNotTheRoute() throws Exception {
    startIdle("a");
    long waiting = client.begin("wait_route", "{\"name\":\"a\"}");
    client.send(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
            .formatted(waiting));
    assertThat(client.call("route_status", "{\"name\":\"a\"}").get("state"))
        .isNotEqualTo("stopped");
    assertThat(client.call("stop_route", "{\"name\":\"a\"}").get("outcome")).isEqualTo("stopped");
    client.endInput();
    assertThat(client.rest()).isEmpty();
  }

  @Test
  void idOfWaitingCallIsTaken() throws Exception {
    startIdle("a");
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":\"same\",\"method\":\"tools/call\",\"params\":"
            + "{\"name\":\"wait_route\",\"arguments\":{\"name\":\"a\"}}}";
    client.send(call);
    client.send(call);
    Json answer = client.receive();
    assertThat(answer.get("id")).isEqualTo("same");
    assertThat(answer.at("error", "code")).isEqualTo(-32600L);
  }

  @Test
  void tellsProgressToWhoAsked() throws Exception {
    startIdle("a");
    client.request(
        "tools/call",
        "{\"name\":\"wait_route\",\"arguments\":{\"name\":\"a\"},\"_meta\":{\"progressToken\":\"t\"}}");
    Json note = client.receive();
    assertThat(note.get("method")).isEqualTo("notifications/progress");
    assertThat(note.at("params", "progressToken")).isEqualTo("t");
    assertThat(note.at("params", "message")).isEqualTo("0 rows, 0 rows/s, 0 rejected");
  }

  @Test
  void limitsWaitingCalls() throws Exception {
    startIdle("a");
    for (int i = 0; i < WaitingCalls.MAX_WAITING_CALLS; i++) {
      client.begin("wait_route", "{\"name\":\"a\"}");
    }
    client.begin("wait_route", "{\"name\":\"a\"}");
    Json answer = client.receive();
    assertThat(answer.at("error", "message")).asString().contains("max_waiting_calls (1000)");
    assertAlive();
  }

  @Test
  void answersAllInFlightAtEndOfInput() throws Exception {
    startIdle("a");
    Set<Object> ids = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      ids.add(client.begin("wait_route", "{\"name\":\"a\",\"timeout_ms\":600000}"));
    }
    ids.add(client.begin("route_status", "{}"));
    client.endInput();
    for (String line : client.rest()) {
      Json answer = Json.of(line);
      assertThat(ids.remove(answer.get("id"))).isTrue();
      assertThat(answer.object("result").get("isError")).isNull();
    }
    assertThat(ids).isEmpty();
  }

  @Test
  void lastLineNeedsNoLineEnd() throws Exception {
    client.sendBytes(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes(StandardCharsets.UTF_8));
    client.endInput();
    assertThat(client.rest()).hasSize(1);
  }

  @Test
  void losesNoneOfTenThousandCallsWithHundredInFlight() throws Exception {
    startIdle("a");
    int calls = 10_000;
    int inFlight = 100;
    Set<Object> open = new HashSet<>();
    int sent = 0;
    int answered = 0;
    while (answered < calls) {
      while (sent < calls && open.size() < inFlight) {
        // Every third waits a little, so that answers come from many threads and out of order.
        open.add(
            sent++ % 3 == 0
                ? client.begin("wait_route", "{\"name\":\"a\",\"timeout_ms\":1}")
                : client.begin("route_status", "{\"name\":\"a\"}"));
      }
      Json answer = client.receive();
      assertThat(open.remove(answer.get("id"))).isTrue();
      assertThat(answer.object("result").text().get("name")).isEqualTo("a");
      answered++;
    }
    assertThat(open).isEmpty();
  }
}
