package dev.drover.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

  private static final List<String> KNOWN =
      List.of("file", "memory", "null", "static", "write_mode");

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"fiel,file", "File,file", "memry,memory", "writemode,write_mode", "kafka,-", "x,-"})
  void findsWhatWasMeant(String written, @Nullable String meant) {
    assertThat(Nearest.match(written, KNOWN)).isEqualTo(meant);
  }
}
