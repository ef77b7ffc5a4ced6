package dev.drover.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"demo --rows 0", "bench mcp --routes -1", "bench mcp --nope", "bench", "", "x"})
  void badUsageEndsWithTwo(String line) {
    assertThat(Main.run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
  }

  @Test
  void aMissingServerProgramIsAFailure() {
    assertThat(Main.run("demo", "--rows", "1", "--server", "/no/such/program")).isEqualTo(1);
  }

  @Test
  void aGivenServerCommandIsSplitAtSpaces() throws McpException {
    assertThat(ServerCommand.resolve(" java -jar  x.jar ", Path.of("/data")))
        .containsExactly("java", "-jar", "x.jar");
  }
}
