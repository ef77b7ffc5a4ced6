package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drover.spi.Capability;
import dev.drover.spi.Connector;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Option;
import dev.drover.spi.Problem;
import dev.drover.spi.WriteMode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouteReaderTest {

  enum Mode {
    SAFE,
    VERY_FAST
  }

  record Limits(
      @Option(value = "bytes", defaultValue = "10", min = 1, max = 100) int maxBytes,
      @Option(value = "rows", defaultValue = "5") long maxRows) {}

  record Config(
      @Option("where") String path,
      @Option("how") @Nullable String format,
      @Option(value = "flag", defaultValue = "false") boolean strict,
      @Option(value = "mode", defaultValue = "safe") Mode writeMode,
      @Option("names") @Nullable List<String> columns,
      Limits limits) {}

  /** Binding only; nothing is ever created. */
  private static final class Both implements Connector {
    @Override
    public String name() {
      return "both";
    }

    @Override
    public List<String> aliases() {
      return List.of("sqlx");
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public @Nullable SourceType<?> source() {
      return new SourceType<>(
          Config.class,
          (config, access) -> {
            throw new AssertionError();
          });
    }

    @Override
    public @Nullable SinkType<?> sink() {
      return new SinkType<>(
          Config.class,
          (config, access, mode) -> {
            throw new AssertionError();
          });
    }
  }

  private final RouteReader reader =
      new RouteReader(new Connectors(List.of(new Both())), WriteMode.CREATE);

  private Config bound(Map<String, ?> options) {
    RouteSpec spec =
        reader.read(
            Map.of("input", Map.of("both", options), "output", Map.of("sqlx", "x")),
            "n",
            RouteReader.Overrides.NONE,
            "");
    return (Config) spec.source().config();
  }

  private List<Problem> problems(Map<String, ?> route) {
    SpecException e =
        catchThrowableOfType(
            SpecException.class,
            () -> reader.read(route, null, RouteReader.Overrides.NONE, "/route"));
    return e.problems();
  }

  @Test
  void fillsInDefaults() {
    Config config = bound(Map.of("path", "a.csv"));
    assertThat(config)
        .isEqualTo(new Config("a.csv", null, false, Mode.SAFE, null, new Limits(10, 5)));
  }

  @Test
  void takesSloppyValues() {
    Config config =
        bound(
            Map.of(
                "path",
                "a",
                "strict",
                "true",
                "max_bytes",
                "20",
                "max_rows",
                7.0,
                "columns",
                "c",
                "write_mode",
                "safe"));
    assertThat(config)
        .isEqualTo(new Config("a", null, true, Mode.SAFE, List.of("c"), new Limits(20, 7)));
  }

  @Test
  void overridesWinAndAliasesWork() {
    Map<String, ?> route =
        Map.of(
            "input",
            Map.of("both", "a"),
            "output",
            Map.of("both", "b"),
            "batch_size",
            "512",
            "concurrency",
            3,
            "exit_on_empty",
            "false");
    RouteSpec spec = reader.read(route, null, RouteReader.Overrides.NONE, "");
    assertThat(spec.options().maxBatchRows()).isEqualTo(512);
    assertThat(spec.options().concurrency()).isEqualTo(3);
    assertThat(spec.options().exitOnEmpty()).isFalse();
    spec = reader.read(route, null, new RouteReader.Overrides(64, 1), "");
    assertThat(spec.options().maxBatchRows()).isEqualTo(64);
    assertThat(spec.options().concurrency()).isEqualTo(1);
  }

  @Test
  void reportsEverythingAtOnce() {
    List<Problem> problems =
        problems(
            Map.of(
                "input",
                Map.of("both", Map.of("pth", "a", "max_bytes", 101, "write_mode", "save")),
                "output",
                Map.of("bth", Map.of()),
                "exit_on_empty",
                "perhaps",
                "concurency",
                2,
                "batch_size",
                0));
    assertThat(problems)
        .extracting(Problem::path)
        .containsExactlyInAnyOrder(
            "/route/concurency",
            "/route/input/both/pth",
            "/route/input/both/path",
            "/route/input/both/max_bytes",
            "/route/input/both/write_mode",
            "/route/output/bth",
            "/route/exit_on_empty",
            "/route/batch_size");
    assertThat(problems)
        .extracting(Problem::suggestion)
        .contains(
            "did you mean 'path'?",
            "did you mean 'safe'?",
            "did you mean 'both'?",
            "did you mean 'concurrency'?");
    assertThat(problems)
        .filteredOn(problem -> problem.path().endsWith("max_bytes"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("1 to 100", "101"));
  }

  @Test
  void wantsExactlyOneConnector() {
    assertThat(problems(Map.of()).getFirst().code()).isEqualTo(ErrorCode.MISSING_OPTION);
    assertThat(problems(Map.of("input", Map.of("a", 1, "b", 2))).getFirst().code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(
            problems(Map.of("input", Map.of("a", 1, "b", 2, "middlewares", List.of())))
                .getFirst()
                .code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(problems(Map.of("input", Map.of("middlewares", List.of()))).getFirst().code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }
}
