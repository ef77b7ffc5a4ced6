package dev.drover.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BatchTest {

  private static final Schema SCHEMA =
      new Schema(List.of(new Field("a", Type.STRING), new Field("b", Type.STRING)));

  @Test
  void undoesDoubledQuotesForWhoDoesNotKnowThem() {
    byte[] arena = "x\"\"\"\"y\"\"|\"\"|plain".getBytes(UTF_8);
    long[] cells = {
      Batch.slice(0, 8) | Batch.DOUBLED_QUOTES,
      Batch.slice(9, 2) | Batch.DOUBLED_QUOTES,
      Batch.slice(12, 5) | Batch.DOUBLED_QUOTES,
      Batch.slice(0, 0),
    };
    Batch batch = Batch.raw(SCHEMA, 2, arena, cells);
    assertThat(batch.rawCells()[0] & Batch.DOUBLED_QUOTES).isNotZero();
    assertThat(batch.text(0, 0)).isEqualTo("x\"\"y\"");
    assertThat(batch.text(0, 1)).isEqualTo("\"");
    assertThat(batch.text(1, 0)).isEqualTo("plain");
    assertThat(batch.text(1, 1)).isEmpty();
    assertThat(batch.cells()[0]).isEqualTo(Batch.slice(0, 5));
    assertThat(batch.rawCells()).isSameAs(batch.cells());
  }
}
