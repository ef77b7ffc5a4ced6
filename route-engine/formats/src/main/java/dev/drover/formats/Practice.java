package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.RejectedRow;
import java.time.Duration;

/**
 * Runs the loops that move rows on made-up ones, so that the JVM has compiled them before the first
 * route of a server needs them: else its compiler and the route compete for the same processors.
 */
public final class Practice {

  private static final int BLOCK_BYTES = 64 << 10;

  /**
   * So that a block has many batches: what never happens here would be compiled as if it never did.
   */
  private static final int MAX_BATCH_ROWS = 100;

  private Practice() {}

  /** Practises on the calling thread for so long; leaves nothing behind but compiled code. */
  public static void run(Buffers buffers, Duration budget) {
    long deadline = System.nanoTime() + budget.toNanos();
    byte[] csv = csv();
    FormatOptions options = FormatOptions.of("csv").withMaxBatchRows(MAX_BATCH_ROWS);
    while (System.nanoTime() < deadline) {
      RecordReader reader = Formats.reader(options, buffers, oddity -> {});
      byte[] block = buffers.bytes(csv.length + Batch.PADDING);
      System.arraycopy(csv, 0, block, 0, csv.length);
      reader.cut(block, csv.length, true);
      RecordReader.Records records = reader.take();
      records.decode(new Encoding(buffers));
      records.release();
    }
  }

  /**
   * Plain fields, JSON in quotes, line breaks in quotes, both line ends: what most files are made
   * of.
   */
  private static byte[] csv() {
    StringBuilder csv = new StringBuilder("id,name,amount,created_at,attributes\r\n");
    for (int i = 0; csv.length() < BLOCK_BYTES; i++) {
      csv.append(i).append(",Ada,").append(i % 1000).append(".25,2020-01-01T00:00:00Z,");
      csv.append(
          switch (i % 16) {
            case 0 -> "\"two\nlines, \"\"quoted\"\"\"";
            case 1 -> "plain";
            default -> "\"{\"\"tier\"\":\"\"free\"\",\"\"tags\"\":[\"\"beta\"\",\"\"gamma\"\"]}\"";
          });
      csv.append(i % 4 == 0 ? "\n" : "\r\n");
    }
    return csv.toString().getBytes(UTF_8);
  }

  private static final class Encoding implements Decoded {
    private final Buffers buffers;

    Encoding(Buffers buffers) {
      this.buffers = buffers;
    }

    @Override
    public void batch(Batch batch) {
      Encoder encoder = Formats.encoder("jsonl", batch.schema(), buffers);
      encoder.encode(batch).release();
    }

    @Override
    public void reject(RejectedRow row) {
      throw new IllegalStateException(row.toString());
    }

    @Override
    public void advanced(long records, long lines) {
      // Nobody asks for places.
    }
  }
}
