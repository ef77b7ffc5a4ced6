package dev.drover.connectors.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.StopMode;
import dev.drover.spi.Connector;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.RowsConnector.Then;
import dev.drover.testkit.SourceContract;
import dev.drover.testkit.TestRuns;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemorySourceTest extends SourceContract {

  private final Connector connector = new MemoryConnector();

  @Override
  protected Connector connector() {
    return connector;
  }

  @Override
  protected Map<String, ?> endpointWith(List<String> fields, List<List<String>> rows) {
    Map<String, ?> endpoint = Map.of("memory", Map.of("topic", "t"));
    runs().run(TestRuns.rows(fields, rows, Then.END), endpoint);
    return endpoint;
  }

  @Test
  void waitsForRowsAndDrainsWhenStopped() throws Exception {
    Map<String, ?> topic = Map.of("memory", "live");
    Collected collected = new Collected();
    Run run = runs().start(topic, TestRuns.collect(collected));
    runs().run(TestRuns.rows(List.of("a"), List.of(List.of("1")), Then.END), topic);
    while (collected.rows().isEmpty()) {
      Thread.sleep(1);
    }
    assertThat(run.stop(StopMode.DRAIN, TestRuns.LONG)).isTrue();
    assertThat(run.status().state()).isEqualTo(RunState.STOPPED);
    assertThat(run.status().committed()).isEqualTo(1);
  }

  @Test
  void forgetsWhatWasCommitted() {
    Map<String, ?> topic = endpointWith(List.of("a"), List.of(List.of("1")));
    runs().run(topic, TestRuns.collect(new Collected()), "exit_on_empty", true);
    Collected second = new Collected();
    runs().run(topic, TestRuns.collect(second), "exit_on_empty", true);
    assertThat(second.rows()).isEmpty();
  }
}
