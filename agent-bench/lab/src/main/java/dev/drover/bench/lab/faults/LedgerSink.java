package dev.drover.bench.lab.faults;

import dev.drover.spi.CommitMode;
import dev.drover.spi.Sink;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.WriterScope;

/**
 * A book of a ledger.
 *
 * @param keepsCheckpoint whether the ledger applies rows and checkpoint together
 */
record LedgerSink(LedgerConfig config, boolean keepsCheckpoint) implements Sink {

  @Override
  public CommitMode commitMode() {
    return keepsCheckpoint ? CommitMode.WITH_CHECKPOINT : CommitMode.ROWS;
  }

  @Override
  public SinkWriter writer(WriterScope scope) {
    return new LedgerWriter(config, keepsCheckpoint, scope);
  }
}
