package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The SDK's own way to the tools, which other transports take. */
class SdkServerTest {

  private static final Map<String, Object> ROUTE =
      Map.of(
          "input",
          Map.of("probe", Map.of("behaviour", "noisy")),
          "output",
          Map.of("probe", Map.of()));

  @Test
  @Timeout(60)
  void answersCallsAsTheShorterWayDoes() throws Exception {
    Pipe pipe = Pipe.open();
    Connectors connectors = Connectors.load();
    try (Engine engine = new Engine(connectors, FileAccess.unfenced());
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    Channels.newInputStream(pipe.source()), StandardCharsets.UTF_8))) {
      BuildInfo build = BuildInfo.current();
      ToolCalls tools =
          new ToolCalls(new RouteTools(engine, connectors, List.of(), build, Journal.none()).all());
      Connection.Session session =
          new SdkServer(tools, build)
              .open(new MessageWriter(Channels.newOutputStream(pipe.sink())));
      session.request(
          "initialize",
          1L,
          Map.of(
              "protocolVersion",
              "2025-06-18",
              "capabilities",
              Map.of(),
              "clientInfo",
              Map.of("name", "test", "version", "1")));
      assertThat(next(lines).at("result", "protocolVersion")).isEqualTo("2025-06-18");
      Map<String, Object> start = Map.of("name", "a", "wait_ms", 60_000, "route", ROUTE);
      session.request("tools/call", 2L, Map.of("name", "start_route", "arguments", start));
      Json started = next(lines).object("result");
      assertThat(started.text().get("outcome")).isEqualTo("completed");
      assertThat(started.object("structuredContent")).isEqualTo(started.text());
      session.request(
          "tools/call", 3L, Map.of("name", "stop_route", "arguments", Map.of("name", "b")));
      Json refused = next(lines).object("result");
      assertThat(refused.get("isError")).isEqualTo(true);
      assertThat(refused.text().at("error", "code")).isEqualTo("unknown_route");
    }
  }

  private static Json next(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    return Json.of(line == null ? "the end" : line);
  }
}
