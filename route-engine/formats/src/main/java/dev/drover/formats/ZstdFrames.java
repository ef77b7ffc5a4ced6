package dev.drover.formats;

import static dev.drover.formats.Compression.ZSTD;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Frames of RFC 8878, through the reference library. Where a frame ends is asked of the library
 * after every step: its own stream takes a second frame that is cut off for a clean end.
 */
final class ZstdFrames extends MemberDecoder {

  private static final int INPUT_BYTES = 32 << 10;
  private static final int OUTPUT_BYTES = 128 << 10;

  private static final int DESCRIPTOR_AT = 4;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int RESERVED = 0x08;
  private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};
  private static final int[] SIZE_BYTES = {0, 2, 4, 8};

  private final int maxWindowBytes;

  /** Freed at once, where a direct buffer would wait for the collector. */
  private @Nullable Arena arena;

  private ByteBuffer input = ByteBuffer.allocate(0);
  private ByteBuffer output = ByteBuffer.allocate(0);
  private @Nullable ZstdDecompressCtx context;
  private boolean ended;

  ZstdFrames(int maxWindowBytes) {
    this.maxWindowBytes = maxWindowBytes;
  }

  @Override
  boolean begins(CompressedInput in) {
    return in.available() >= Integer.BYTES
        && Compression.littleEndian(in.buffer, in.at) == Compression.ZSTD_MAGIC;
  }

  @SuppressWarnings("MustBeClosedChecker") // close does
  @Override
  void begin(CompressedInput in) throws IOException {
    checkHeader(in);
    if (context == null) {
      Arena opened = Arena.ofConfined();
      arena = opened;
      input = opened.allocate(INPUT_BYTES).asByteBuffer();
      output = opened.allocate(OUTPUT_BYTES).asByteBuffer();
      context = new ZstdDecompressCtx();
    }
    ended = false;
  }

  /** The library would take any window up to its own limit, and not say which limit it was. */
  private void checkHeader(CompressedInput in) throws IOException {
    in.need(DESCRIPTOR_AT + 2, ZSTD);
    int descriptor = in.buffer[in.at + DESCRIPTOR_AT] & 0xff;
    boolean single = (descriptor & SINGLE_SEGMENT) != 0;
    int dictionaryBytes = DICTIONARY_BYTES[descriptor & 3];
    int sizeBytes = SIZE_BYTES[descriptor >> 6];
    if (single && sizeBytes == 0) {
      sizeBytes = 1;
    }
    int dictionaryAt = DESCRIPTOR_AT + (single ? 1 : 2);
    in.need(dictionaryAt + dictionaryBytes + sizeBytes, ZSTD);
    if ((descriptor & RESERVED) != 0) {
      throw in.corrupt(ZSTD, "the header of a frame is not one of RFC 8878");
    }
    if (number(in, dictionaryAt, dictionaryBytes) != 0) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "",
              "the zstd data needs the dictionary that it was compressed with",
              "decompress it first with zstd -d -D DICTIONARY"));
    }
    long window;
    if (single) {
      long size = number(in, dictionaryAt + dictionaryBytes, sizeBytes);
      window = size + (sizeBytes == 2 ? 256 : 0);
    } else {
      int exponent = (in.buffer[in.at + DESCRIPTOR_AT + 1] & 0xff) >> 3;
      int mantissa = in.buffer[in.at + DESCRIPTOR_AT + 1] & 7;
      long base = 1L << (10 + exponent);
      window = base + base / 8 * mantissa;
    }
    if (window < 0 || window > maxWindowBytes) {
      throw tooLarge("%,d bytes".formatted(window));
    }
  }

  private static long number(CompressedInput in, int at, int bytes) {
    long number = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      number = (number << 8) | (in.buffer[in.at + at + i] & 0xff);
    }
    return number;
  }

  private DroverException tooLarge(String window) {
    return new DroverException(
        new Problem(
            ErrorCode.LIMIT_EXCEEDED,
            "",
            "a zstd frame needs a window of %s, more than `max_window_bytes` (%,d)"
                .formatted(window, maxWindowBytes),
            "set a larger max_window_bytes, or compress with a smaller window (zstd --long=27)"));
  }

  @Override
  int decode(CompressedInput in, byte[] into, int from, int length) throws IOException {
    ZstdDecompressCtx open = context;
    if (open == null) {
      throw new IllegalStateException("begin has not been called");
    }
    while (!ended) {
      int offered = Math.min(in.available(), input.capacity());
      input.clear().put(in.buffer, in.at, offered).flip();
      output.clear().limit(Math.min(length, output.capacity()));
      ended = step(open, in);
      in.at += input.position();
      int count = output.position();
      if (count > 0) {
        output.flip().get(into, from, count);
        return count;
      }
      if (!ended && input.position() == 0 && !in.more()) {
        throw in.truncated(ZSTD);
      }
    }
    return -1;
  }

  /** Whether the frame has ended. */
  private boolean step(ZstdDecompressCtx open, CompressedInput in) {
    try {
      return open.decompressDirectByteBufferStream(output, input);
    } catch (ZstdException e) {
      String how = e.getMessage() == null ? "it cannot be decoded" : e.getMessage();
      throw in.corrupt(ZSTD, how.toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void close() {
    if (context != null) {
      context.close();
      context = null;
    }
    if (arena != null) {
      arena.close();
      arena = null;
    }
  }
}
