package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShapeTest {
  /** DuckDB is the oracle: what it makes of a file is what the generator says must come out. */
  @ParameterizedTest
  @EnumSource
  void duckDbMakesTheExpectedLines(Shape shape, @TempDir Path folder) throws Exception {
    Input input = shape.write(folder.resolve("in.csv"), 3_000);
    Path out = folder.resolve("out.jsonl");
    try (DuckDb duck = new DuckDb()) {
      assertThat(duck.copy(input.csv(), out)).isEqualTo(3_000);
    }
    assertThat(Files.size(input.csv())).isEqualTo(input.bytes());
    input.check("DuckDB", out);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameFileEveryTime(Shape shape, @TempDir Path folder) throws Exception {
    Input one = shape.write(folder.resolve("1.csv"), 500);
    Input two = shape.write(folder.resolve("2.csv"), 500);
    assertThat(one.csv()).hasSameBinaryContentAs(two.csv());
    assertThat(one.linesSha256()).isEqualTo(two.linesSha256());
  }
}
