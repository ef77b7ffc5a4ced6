package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Lines that are JSON objects; the block becomes the arena. */
final class JsonRecords implements RecordReader.Records {

  private final byte[] block;
  private final int from;
  private final int to;
  private final Buffers buffers;
  private final FormatOptions options;
  private final boolean overrun;
  private final JsonRows rows;

  /** How rows of this stream looked last. */
  private final AtomicReference<@Nullable JsonLayout> likely;

  private long records;
  private long lines;

  JsonRecords(
      byte[] block,
      int from,
      int to,
      FormatOptions options,
      Buffers buffers,
      boolean overrun,
      AtomicReference<@Nullable JsonLayout> likely) {
    this.block = block;
    this.from = from;
    this.to = to;
    this.options = options;
    this.buffers = buffers;
    this.overrun = overrun;
    this.rows = new JsonRows(block, options.maxDepth(), options.maxBatchRows(), buffers);
    this.likely = likely;
  }

  @Override
  public void decode(Decoded out) {
    int invalid = Utf8.firstInvalid(block, from, to);
    int start = from;
    rows.expect(likely.get());
    boolean ended = to > from && block[to - 1] == '\n';
    while (start < to) {
      if (ended && invalid < 0) {
        int next = addLine(out, start);
        if (next > start) {
          start = next;
          continue;
        }
      }
      int end = Swar.find(block, start, to, Swar.LINE_FEEDS);
      boolean broken = invalid >= 0 && invalid < end;
      if (end - start > options.maxRecordBytes()) {
        String why =
            "the record is longer than `max_record_bytes` (%,d)"
                .formatted(options.maxRecordBytes());
        refuse(out, start, end, new Fault(ErrorCode.LIMIT_EXCEEDED, start, why));
      } else if (broken) {
        RejectedRow row = CsvText.encoding(block, start, invalid, records + 1, lines + 1);
        emit(out);
        out.reject(row.withRow(block, start, end));
        records++;
      } else if (rows.scanner().space(start, end) < end) {
        row(out, start, end);
      }
      if (broken) {
        int next = Utf8.firstInvalid(block, end, to);
        invalid = next;
      }
      lines += end < to ? 1 : 0;
      start = end + 1;
    }
    emit(out);
    likely.set(rows.layout());
    out.advanced(records, lines);
  }

  /** The index after the line if it was added; 0 if it must be looked at more closely. */
  private int addLine(Decoded out, int start) {
    if (rows.isFull()) {
      emit(out);
    }
    int end = rows.addLine(start, to, options.maxRecordBytes());
    if (end < 0) {
      return 0;
    }
    records++;
    lines++;
    return end + 1;
  }

  private record Fault(ErrorCode code, int at, String why) {}

  private void refuse(Decoded out, int start, int end, Fault fault) {
    emit(out);
    records++;
    RejectedRow row =
        new RejectedRow(
            fault.code(),
            records,
            lines + 1,
            1 + Utf8.codePoints(block, start, fault.at()),
            fault.why());
    out.reject(row.withRow(block, start, end));
    if (overrun && end == to) {
      // Whatever the policy is: there is no telling where the next record begins.
      throw new DroverException(row.code(), row.message());
    }
  }

  private void row(Decoded out, int start, int end) {
    if (rows.isFull()) {
      emit(out);
    }
    if (rows.add(start, end)) {
      records++;
    } else {
      refuse(out, start, end, new Fault(ErrorCode.INVALID_JSON, rows.errorAt(), rows.error()));
    }
  }

  private void emit(Decoded out) {
    if (rows.rows() > 0) {
      out.batch(rows.take());
    }
  }

  @Override
  public void release() {
    rows.release();
    buffers.give(block);
  }
}
