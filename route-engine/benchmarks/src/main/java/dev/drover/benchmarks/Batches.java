package dev.drover.benchmarks;

import dev.drover.spi.Batch;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.RejectedRow;
import java.util.List;

/** Keeps batches. */
record Batches(List<Batch> batches) implements Decoded {

  @Override
  public void batch(Batch batch) {
    batches.add(batch);
  }

  @Override
  public void reject(RejectedRow row) {
    throw new DroverException(row.code(), row.message());
  }

  @Override
  public void advanced(long records, long lines) {
    // Places are of no interest.
  }
}
