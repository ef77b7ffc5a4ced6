package dev.drover.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values come from CPython's own {@code random} and {@code round}. */
class FixtureTest {
  @Test
  void firstRowsAreTheKnownOnes() throws IOException {
    ByteArrayOutputStream csv = new ByteArrayOutputStream();
    Fixture.csv(2, csv);
    assertThat(csv.toString(StandardCharsets.US_ASCII))
        .isEqualTo(
            """
            id,first_name,country,amount,created_at,active,attributes\r
            1,Eve,GB,6767.32,2020-01-01T00:01:22Z,false,"{""tier"":""free"",""score"":2.501,""tags"":[""beta"",""epsilon""]}"\r
            2,Gus,IN,5054.05,2020-01-01T00:01:34Z,true,"{""tier"":""enterprise"",""score"":42.192,""tags"":[""alpha""]}"\r
            """);

    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    Fixture.lines(1, lines);
    assertThat(lines.toString(StandardCharsets.US_ASCII))
        .isEqualTo(
            """
            {"id":"1","first_name":"Eve","country":"GB","amount":"6767.32","created_at":"2020-01-01T00:01:22Z","active":"false","attributes":"{\\"tier\\":\\"free\\",\\"score\\":2.501,\\"tags\\":[\\"beta\\",\\"epsilon\\"]}"}
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 59, 3a6cf9224658d4cb9df8d9ff064f7288f27e63d1a21dabef3562b3c95af861de",
    "1, 174, bdbe3ce7ef0c84aed54a8910d4693a23db2c37fdc0c31e705d8ed731abfe73dc",
    "1000, 119454, 25591810afc61c367c162acb030c1d2744634d88426dab5bb48d765727508ffd",
    "20000, 2409471, 7884613e48e823ad1070a63c6abaf7adec1936b2f615a6b4a644acd25c11e7ac",
    "1000000, 121981421, " + Fixture.CSV_SHA256,
  })
  void isTheSameFileAsPythonMakes(long rows, long bytes, String sha256) throws IOException {
    Digest made = Fixture.csv(rows, OutputStream.nullOutputStream());
    assertThat(made).isEqualTo(new Digest(bytes, rows + 1, sha256));
  }

  @Test
  void jsonLinesOfTheWholeFixtureAreThePublishedOnes() throws IOException {
    Digest made = Fixture.lines(Fixture.DEFAULT_ROWS, OutputStream.nullOutputStream());
    assertThat(made).isEqualTo(new Digest(206_981_362, Fixture.DEFAULT_ROWS, Fixture.LINES_SHA256));
  }

  @Test
  void typedLinesOfTheWholeFixtureAreThePublishedOnes() throws IOException {
    Digest made = Fixture.typedLines(Fixture.DEFAULT_ROWS, OutputStream.nullOutputStream());
    assertThat(made)
        .isEqualTo(new Digest(190_979_666, Fixture.DEFAULT_ROWS, Fixture.TYPED_LINES_SHA256));
  }

  @Test
  void ensureReplacesAWrongFileAndLeavesNoPartFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("bench.csv");
    Files.writeString(file, "id\n1\n");
    assertThat(Fixture.ensure(file, 1000)).isFalse();
    assertThat(Digest.of(file).sha256())
        .isEqualTo("25591810afc61c367c162acb030c1d2744634d88426dab5bb48d765727508ffd");
    assertThat(folder).isDirectoryContaining("glob:**bench.csv");
    assertThat(folder.resolve("bench.csv.part")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0625, 1000, 62",
    "0.1875, 1000, 188",
    "2.6755, 1000, 2675",
    "99.9995, 1000, 99999",
    "1.0005, 1000, 1000",
    "2.675, 100, 267",
    "1.005, 100, 100",
    "0.125, 100, 12",
    "0.375, 100, 38",
    "10.0, 100, 1000",
  })
  void roundsTheExactValueAndTiesToEven(double x, int scale, long scaled) {
    assertThat(Rounded.scaled(x, scale)).isEqualTo(scaled);
  }

  @Test
  void drawsTheWordsOfCPython() {
    PythonRandom random = new PythonRandom(42);
    assertThat(new int[] {random.bits(31), random.bits(31), random.bits(31)})
        .containsExactly((int) (2746317213L >> 1), 478163327 >> 1, 107420369 >> 1);
    random = new PythonRandom(42);
    assertThat(new double[] {random.unit(), random.unit(), random.unit()})
        .containsExactly(0.6394267984578837, 0.025010755222666936, 0.27502931836911926);
  }
}
