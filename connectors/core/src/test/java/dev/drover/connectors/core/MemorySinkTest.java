package dev.drover.connectors.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.spi.CommitMode;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.CollectConnector.Collected;
import dev.drover.testkit.RowsConnector.Then;
import dev.drover.testkit.SinkContract;
import dev.drover.testkit.TestRuns;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemorySinkTest extends SinkContract {

  private final Connector connector = new MemoryConnector();

  @Override
  protected Connector connector() {
    return connector;
  }

  @Override
  protected CommitMode commitMode() {
    return CommitMode.ROWS;
  }

  @Override
  protected Map<String, ?> endpoint() {
    return Map.of("memory", Map.of("topic", "t"));
  }

  @Override
  protected List<List<@Nullable String>> readBack() {
    Collected collected = new Collected();
    runs().run(endpoint(), TestRuns.collect(collected), "exit_on_empty", true);
    return collected.rows();
  }

  @Test
  void keepsNoMoreThanItsLimit() {
    RunStatus status =
        runs()
            .run(
                TestRuns.rows(
                    List.of("a"), Collections.nCopies(100, List.of("0123456789")), Then.END),
                Map.of("memory", Map.of("topic", "t", "max_stored_bytes", 1000)));
    assertThat(status.state()).isEqualTo(RunState.FAILED);
    assertThat(status.stage()).isEqualTo("commit");
    assertThat(status.error()).isNotNull();
    if (status.error() != null) {
      assertThat(status.error().code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
      assertThat(status.error().message()).contains("max_stored_bytes");
    }
    assertThat(readBack()).isEmpty();
  }
}
