package dev.drover.connectors.core;

import dev.drover.spi.Buffers;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Split;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Gives out the row in chunks of one batch. */
final class StaticReader implements Reader {

  private final StaticSource source;
  private final ReaderScope scope;
  private @Nullable Split split;
  private long given;

  StaticReader(StaticSource source, ReaderScope scope) {
    this.source = source;
    this.scope = scope;
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    split = assigned;
    given = from == null ? 0 : ((RowOffset) from).rows();
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    Split current = split;
    if (current == null) {
      return null;
    }
    if (given >= source.count()) {
      scope.finished(current);
      split = null;
      return null;
    }
    int rows = (int) Math.min(scope.maxBatchRows(), source.count() - given);
    given += rows;
    return new StaticChunk(source, current, given, rows, scope.buffers());
  }

  @Override
  public void close() {
    split = null;
  }

  private static final class StaticChunk implements Chunk {
    private final StaticSource source;
    private final Split split;
    private final long end;
    private final int rows;
    private final Buffers buffers;
    private long @Nullable [] cells;

    StaticChunk(StaticSource source, Split split, long end, int rows, Buffers buffers) {
      this.source = source;
      this.split = split;
      this.end = end;
      this.rows = rows;
      this.buffers = buffers;
    }

    @Override
    public Split split() {
      return split;
    }

    @Override
    public Offset end() {
      return new RowOffset(end);
    }

    @Override
    public int bytes() {
      return (int) Math.min(Integer.MAX_VALUE, (long) rows * source.rowBytes());
    }

    @Override
    public void decode(Decoded out) {
      long[] taken = buffers.longs(rows * source.cellsPerRow());
      cells = taken;
      out.batch(source.repeat(rows, taken));
      out.advanced(rows, 0);
    }

    @Override
    public void release() {
      if (cells != null) {
        buffers.give(cells);
        cells = null;
      }
    }
  }
}
