package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The tables that people read are those of the files that programs read. */
class StaleResultsTest {
  private static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("drover"))) {
        return at;
      }
    }
    throw new IllegalStateException("no folder above this one has the launcher");
  }

  @Test
  void markdownIsMadeOfTheJson() throws IOException {
    Path results = root().resolve("agent-bench/results");
    assumeThat(results).as("results of a run on a quiet machine").exists();
    assertThat(Results.markdown(results))
        .as("run: drover bench")
        .content()
        .isEqualTo(ResultTable.page(Results.read(results)));
  }

  @Test
  void theReadmeShowsTheSameTable() throws IOException {
    Path root = root();
    Path page = root.resolve("README.md");
    String readme = Files.readString(page);
    Path results = root.resolve("agent-bench/results");
    assumeThat(results).as("results of a run on a quiet machine").exists();
    assertThat(readme).contains(Results.BEGIN).contains(Results.END);
    assertThat(Results.embedded(readme, Results.read(results)))
        .as("run: drover bench")
        .isEqualTo(readme);
  }
}
