package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.List;

/** Lines as they stand, each the payload of a row. */
final class RawRecords implements RecordReader.Records {

  private static final Schema PAYLOAD = new Schema(List.of(new Field("payload", Type.BYTES)));

  private final byte[] block;
  private final int from;
  private final int to;
  private final int maxBatchRows;
  private final int maxRecordBytes;
  private final Buffers buffers;
  private final boolean overrun;
  private final List<long[]> taken = new ArrayList<>();

  RawRecords(
      byte[] block, int from, int to, FormatOptions options, Buffers buffers, boolean overrun) {
    this.block = block;
    this.from = from;
    this.to = to;
    this.maxBatchRows = options.maxBatchRows();
    this.maxRecordBytes = options.maxRecordBytes();
    this.buffers = buffers;
    this.overrun = overrun;
  }

  @Override
  public void decode(Decoded out) {
    long records = 0;
    long lines = 0;
    long[] cells = {};
    int rows = 0;
    int start = from;
    while (start < to) {
      int end = Swar.find(block, start, to, Swar.LINE_FEEDS);
      int length = end - start;
      if (length > 0 && block[end - 1] == '\r' && end < to) {
        length--;
      }
      if (length > maxRecordBytes) {
        emit(out, cells, rows);
        rows = 0;
        refuse(out, records + 1, lines + 1, start, end);
      } else {
        if (cells.length == 0 || rows == 0) {
          cells = buffers.longs(maxBatchRows);
          taken.add(cells);
        }
        cells[rows++] = Batch.slice(start, length);
        if (rows == maxBatchRows) {
          emit(out, cells, rows);
          rows = 0;
        }
      }
      records++;
      lines += end < to ? 1 : 0;
      start = end + 1;
    }
    emit(out, cells, rows);
    out.advanced(records, lines);
  }

  private void emit(Decoded out, long[] cells, int rows) {
    if (rows > 0) {
      out.batch(new Batch(PAYLOAD, rows, block, cells, null));
    }
  }

  private void refuse(Decoded out, long record, long line, int start, int end) {
    RejectedRow row =
        new RejectedRow(
            ErrorCode.LIMIT_EXCEEDED,
            record,
            line,
            1,
            "the line is longer than `max_record_bytes` (%,d)".formatted(maxRecordBytes));
    out.reject(row.withRow(block, start, end));
    if (overrun && end == to) {
      // Whatever the policy is: there is no telling where the next record begins.
      throw new DroverException(row.code(), row.message());
    }
  }

  @Override
  public void release() {
    buffers.give(block);
    taken.forEach(buffers::give);
    taken.clear();
  }
}
