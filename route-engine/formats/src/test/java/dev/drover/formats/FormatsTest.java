package dev.drover.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FormatsTest {

  @Test
  void goesByTheExtension() {
    assertThat(Formats.sourceFormat(null, "/data/a.b/x.CSV")).isEqualTo("csv");
    assertThat(Formats.sourceFormat(null, "x.tsv")).isEqualTo("tsv");
    assertThat(Formats.sinkFormat(null, "x.jsonl")).isEqualTo("jsonl");
    assertThat(Formats.sinkFormat(null, "x.ndjson")).isEqualTo("ndjson");
    assertThat(Formats.sinkFormat("JSONL", "x.txt")).isEqualTo("jsonl");
    assertThat(Formats.sinkFormat("raw", "x")).isEqualTo("raw");
  }

  @ParameterizedTest
  @CsvSource({
    ",x.txt,UNKNOWN_FORMAT,.txt",
    ",/a.csv/x,UNKNOWN_FORMAT,no extension",
    "cvs,x.csv,UNKNOWN_FORMAT,`cvs`",
    ",x.json,UNKNOWN_FORMAT,several formats"
  })
  void namesWhatCanBeRead(@Nullable String format, String file, ErrorCode code, String text) {
    Problem problem = problem(() -> Formats.sourceFormat(format, file));
    assertThat(problem.code()).isEqualTo(code);
    assertThat(problem.path()).isEqualTo("/format");
    assertThat(problem.message()).contains(text);
    assertThat(problem.allowed()).isEqualTo(Formats.sources());
  }

  @ParameterizedTest
  @CsvSource({",x,UNKNOWN_FORMAT,jsonl", ",x.json,UNKNOWN_FORMAT,jsonl"})
  void namesWhatCanBeWritten(
      @Nullable String format, String file, ErrorCode code, String suggestion) {
    Problem problem = problem(() -> Formats.sinkFormat(format, file));
    assertThat(problem.code()).isEqualTo(code);
    assertThat(problem.suggestion()).contains(suggestion);
    assertThat(problem.allowed()).isEqualTo(Formats.sinks());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "ab null 10 10 /delimiter",
        "ä null 10 10 /delimiter",
        ", , 10 10 /quote",
        "; '' 10 10 /quote",
        "; null 0 10 /max_record_bytes",
        "; null 268435457 10 /max_record_bytes",
        "; null 10 0 /max_batch_rows"
      },
      nullValues = "null",
      quoteCharacter = '~')
  void refusesOptions(
      String delimiter, @Nullable String quote, int recordBytes, int rows, String path) {
    FormatOptions options =
        new FormatOptions("csv", CsvOptions.of(delimiter, quote), recordBytes, 1, rows);
    Problem problem = problem(() -> Formats.reader(options, new HeapBuffers(), warning -> {}));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(problem.path()).isEqualTo(path);
  }

  @Test
  void separatesByTabsInTsv() {
    byte[] tsv = "a\tb\n1,2\t\"x\ty\"\n".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    CsvFeed feed = CsvFeed.of(tsv, FormatOptions.of("tsv"));
    assertThat(feed.names()).containsExactly("a", "b");
    assertThat(feed.rows.getFirst()).containsExactly("1,2", "x\ty");
  }

  private static Problem problem(Supplier<?> call) {
    return catchThrowableOfType(DroverException.class, call::get).problem();
  }
}
