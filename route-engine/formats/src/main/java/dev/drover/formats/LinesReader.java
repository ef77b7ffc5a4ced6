package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Cuts bytes at line feeds: for formats that have a record on each line, whatever is in it. */
final class LinesReader implements RecordReader {

  /** Makes records of the lines of a block. */
  @FunctionalInterface
  interface Decoder {
    /**
     * @param from where the first line begins
     * @param to after the last line; it may lack its line feed
     * @param overrun whether the last line is too long already and not complete
     */
    Records records(byte[] block, int from, int to, boolean overrun);
  }

  private final int maxRecordBytes;
  private final Decoder decoder;

  private boolean begun;
  private boolean overrun;

  // The block that is being cut.
  private byte[] block = {};
  private int from;
  private int border;
  private int searched;

  LinesReader(FormatOptions options, Buffers buffers) {
    this.maxRecordBytes = options.maxRecordBytes();
    this.decoder =
        Envelope.of(options.format()) != null
            ? envelopes(options, buffers)
            : options.format().equals("raw")
                ? (bytes, start, end, over) ->
                    new RawRecords(bytes, start, end, options, buffers, over)
                : json(options, buffers);
  }

  private static Decoder envelopes(FormatOptions options, Buffers buffers) {
    Envelope envelope = Objects.requireNonNull(Envelope.of(options.format()));
    return (bytes, start, end, over) ->
        new EnvelopeRecords(envelope, bytes, start, end, options, buffers, over);
  }

  private static Decoder json(FormatOptions options, Buffers buffers) {
    AtomicReference<@Nullable JsonLayout> likely = new AtomicReference<>();
    return (bytes, start, end, over) ->
        new JsonRecords(bytes, start, end, options, buffers, over, likely);
  }

  @Override
  public int cut(byte[] bytes, int length, boolean end) {
    block = bytes;
    if (overrun) {
      // The record that was too long has no end, so nothing after it has a meaning.
      from = length;
      border = length;
      return length;
    }
    if (!begun && !begin(length, end)) {
      return 0;
    }
    for (int i = length - 1; i >= searched; i--) {
      if (bytes[i] == '\n') {
        border = i + 1;
        break;
      }
    }
    searched = length;
    if (end) {
      border = length;
    } else if (border == 0 && length - from > maxRecordBytes) {
      overrun = true;
      border = length;
    }
    return border > from || border == length ? border : 0;
  }

  /** Hides a byte-order mark; false if more bytes are needed to tell. */
  private boolean begin(int length, boolean end) {
    if (length < 3 && !end) {
      return false;
    }
    int first = length > 0 ? block[0] & 0xff : 0;
    int second = length > 1 ? block[1] & 0xff : 0;
    if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff)) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ENCODING,
              "",
              "line 1: the byte-order mark is that of UTF-16, and only UTF-8 can be read",
              "convert the file, for example with iconv -f UTF-16 -t UTF-8"));
    }
    if (length >= 3 && first == 0xef && second == 0xbb && (block[2] & 0xff) == 0xbf) {
      from = 3;
    }
    begun = true;
    return true;
  }

  @Override
  public Records take() {
    Records records = decoder.records(block, Math.min(from, border), border, overrun);
    from = 0;
    border = 0;
    searched = 0;
    return records;
  }

  @Override
  public int header(byte[] bytes, int length, boolean end) {
    block = bytes;
    if (!begun && !begin(length, end)) {
      return -1;
    }
    from = 0;
    return 0;
  }
}
