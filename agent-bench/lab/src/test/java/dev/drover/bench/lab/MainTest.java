package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "bench --runs 0", "bench --rows 0", "bench --only nothing", "x"})
  void badUsageEndsWithTwo(String line) {
    assertThat(Main.run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
  }

  @Test
  void aMissingProgramIsAFailure() {
    assertThat(
            Main.run("bench", "--only", "version", "--runs", "1", "--launcher", "/no/such/program"))
        .isEqualTo(1);
  }
}
