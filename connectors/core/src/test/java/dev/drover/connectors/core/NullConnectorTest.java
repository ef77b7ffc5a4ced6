package dev.drover.connectors.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.SpecException;
import dev.drover.spi.ErrorCode;
import dev.drover.testkit.RowsConnector.Then;
import dev.drover.testkit.TestRuns;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NullConnectorTest {

  @Test
  void countsAndForgets() {
    try (TestRuns runs = new TestRuns(new NullConnector())) {
      List<List<String>> rows = Collections.nCopies(1000, List.of("x"));
      for (Map<String, ?> output : List.of(Map.of("null", Map.of()), Map.<String, Object>of())) {
        RunStatus status = runs.run(TestRuns.rows(List.of("a"), rows, Then.END), output);
        assertThat(status.state()).isEqualTo(RunState.COMPLETED);
        assertThat(status.messages()).isEqualTo(1000);
        assertThat(status.bytesOut()).isZero();
      }
    }
  }

  @Test
  void isNoSource() {
    try (TestRuns runs = new TestRuns(new NullConnector())) {
      assertThatThrownBy(() -> runs.run(Map.of("null", Map.of()), Map.of()))
          .isInstanceOfSatisfying(
              SpecException.class,
              e -> assertThat(e.problems().getFirst().code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }
  }
}
