package dev.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Connectors;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointUriTest {

  private final List<Problem> problems = new ArrayList<>();
  private final Connectors connectors = Connectors.load();

  private @Nullable Map<String, Object> read(String text) {
    return new EndpointUri(connectors, EndpointUri.Part.SOURCE, problems).read(text);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "orders.csv, orders.csv",
        "/data/orders.csv, /data/orders.csv",
        "~/orders.csv, ~/orders.csv",
        "100%.csv, 100%.csv",
        "file:///data/orders.csv, /data/orders.csv",
        "FILE:///data/orders.csv, /data/orders.csv",
        "file:/data/orders.csv, /data/orders.csv",
        "file:orders.csv, orders.csv",
        "file://localhost/data/orders.csv, /data/orders.csv",
        "file://~/orders.csv, ~/orders.csv",
        "file://./orders.csv, ./orders.csv",
        "file:///a%7Cb%3Fc%25%C3%BC.csv, /a|b?c%ü.csv",
        "C:/orders.csv, C:/orders.csv",
      })
  void readsPaths(String text, String path) {
    assertThat(read(text)).isEqualTo(Map.of("file", Map.of("path", path)));
    assertThat(problems).isEmpty();
  }

  @Test
  void takesOptionsFromTheQueryOfUrisAndPaths() {
    Map<String, Object> file = Map.of("path", "/a.txt", "format", "csv", "delimiter", "\t");
    assertThat(read("file:///a.txt?format=csv&delimiter=%09")).isEqualTo(Map.of("file", file));
    assertThat(read("/a.txt?format=csv&delimiter=%09")).isEqualTo(Map.of("file", file));
    assertThat(read("static:?body=a%26b")).isEqualTo(Map.of("static", Map.of("body", "a&b")));
    assertThat(read("null:")).isEqualTo(Map.of("null", Map.of()));
  }

  @Test
  void takesTheNameOfAnExistingFileLiterally(@TempDir Path folder) throws IOException {
    String path = Files.createFile(folder.resolve("a|b?c=${d}%41.csv")).toString();
    assertThat(read(path)).isEqualTo(Map.of("file", Map.of("path", path)));
  }

  @Test
  void keepsUnknownConnectorsForTheReaderOfRoutes() {
    assertThat(read("post-gres://host/db?table=t"))
        .isEqualTo(Map.of("post_gres", Map.of("table", "t")));
  }

  @Test
  void aDashIsStandardInput() {
    assertThat(read("-")).isEqualTo(Map.of("file", Map.of("path", "-")));
    Map<String, Object> csv = Map.of("file", Map.of("path", "-", "format", "csv"));
    assertThat(read("-?format=csv")).isEqualTo(csv);
    assertThat(read(EndpointUri.standardAsUri("-?format=csv"))).isEqualTo(csv);
    assertThat(EndpointUri.isStandard("./-")).isFalse();
    assertThat(EndpointUri.isStandard("--json")).isFalse();
    assertThat(EndpointUri.standardAsUri("--json")).isEqualTo("--json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "file://host/a.csv",
        "file://orders.csv",
        "file:///a%zz.csv",
        "file:///a%4",
        "file:///a%ff.csv",
        "a.csv?format",
        "a.csv?=csv",
        "a.csv?format=csv&format=raw",
        "file:///a.csv?path=b.csv",
      })
  void refusesWhatIsMalformed(String text) {
    assertThat(read(text)).isNull();
    assertThat(problems)
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
              assertThat(problem.path()).isEqualTo("/input");
            });
  }

  @Test
  void transformsStandBehindBars() {
    EndpointUri uri = new EndpointUri(connectors, EndpointUri.Part.SOURCE, problems);
    assertThat(uri.read("a.csv?quote='|filter?expression=a %3C 5 %7C%7C b|infer"))
        .isEqualTo(Map.of("file", Map.of("path", "a.csv", "quote", "'")));
    assertThat(uri.transforms())
        .isEqualTo(
            List.of(
                Map.of("filter", Map.of("expression", "a < 5 || b")), Map.of("infer", Map.of())));
    assertThat(problems).isEmpty();
    uri.read("a.csv|");
    assertThat(problems)
        .singleElement()
        .satisfies(problem -> assertThat(problem.suggestion()).contains("%7C"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "file:///${HOME}/a.csv, %24",
      })
  void refusesWhatIsNotThereYet(String text, String hint) {
    assertThat(read(text)).isNull();
    assertThat(problems)
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
              assertThat(problem.message() + problem.suggestion()).contains(hint);
            });
  }
}
