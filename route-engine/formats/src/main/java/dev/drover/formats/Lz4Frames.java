package dev.drover.formats;

import static dev.drover.formats.Compression.LZ4;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import net.jpountz.xxhash.StreamingXXHash32;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/** Frames of the LZ4 frame format, with blocks of any size, linked or not. */
final class Lz4Frames extends MemberDecoder {

  private static final int HISTORY_BYTES = 64 << 10;
  private static final int VERSION = 0x40;
  private static final int VERSION_MASK = 0xc0;
  private static final int INDEPENDENT = 0x20;
  private static final int BLOCK_CHECKSUM = 0x10;
  private static final int SIZE = 0x08;
  private static final int CONTENT_CHECKSUM = 0x04;
  private static final int RESERVED = 0x02;
  private static final int DICTIONARY = 0x01;
  private static final int LEAST_SIZE_CODE = 4;
  private static final int MAX_DESCRIPTOR_BYTES = 14;

  private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();
  private final StreamingXXHash32 contentHash =
      XXHashFactory.fastestInstance().newStreamingHash32(0);

  private int flags;
  private int blockBytes;
  private long declared;
  private long length;
  private boolean ended;

  private byte[] compressed = {};

  /** What matches may reach back to, and behind it the block. */
  private byte[] window = {};

  /** The block that is given out: from {@code at} to {@code end} of the window. */
  private int at;

  private int end;

  @Override
  boolean begins(CompressedInput in) {
    return in.available() >= Integer.BYTES
        && Compression.littleEndian(in.buffer, in.at) == Compression.LZ4_MAGIC;
  }

  @Override
  void begin(CompressedInput in) throws IOException {
    in.skip(Integer.BYTES, LZ4);
    byte[] descriptor = new byte[MAX_DESCRIPTOR_BYTES];
    descriptor[0] = (byte) in.next(LZ4);
    descriptor[1] = (byte) in.next(LZ4);
    flags = descriptor[0] & 0xff;
    int size = descriptor[1] & 0xff;
    int code = size >>> 4;
    if ((flags & VERSION_MASK) != VERSION
        || (flags & RESERVED) != 0
        || (size & 0x8f) != 0
        || code < LEAST_SIZE_CODE) {
      throw in.corrupt(LZ4, "the header of a frame is not one of the frame format");
    }
    int count = 2;
    int optional =
        ((flags & SIZE) != 0 ? Long.BYTES : 0) + ((flags & DICTIONARY) != 0 ? Integer.BYTES : 0);
    for (int i = 0; i < optional; i++) {
      descriptor[count++] = (byte) in.next(LZ4);
    }
    int check = (hash.hash(descriptor, 0, count, 0) >>> 8) & 0xff;
    if (in.next(LZ4) != check) {
      throw in.corrupt(LZ4, "the checksum of a header does not fit");
    }
    if ((flags & DICTIONARY) != 0) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "",
              "the lz4 data needs the dictionary that it was compressed with",
              "decompress it first with lz4 -d -D DICTIONARY"));
    }
    declared = -1;
    if ((flags & SIZE) != 0) {
      declared =
          (Compression.littleEndian(descriptor, 2) & 0xffffffffL)
              | (long) Compression.littleEndian(descriptor, 6) << 32;
    }
    blockBytes = 1 << (8 + 2 * code);
    if (window.length < HISTORY_BYTES + blockBytes) {
      window = new byte[HISTORY_BYTES + blockBytes];
      compressed = new byte[blockBytes];
    }
    contentHash.reset();
    length = 0;
    at = 0;
    end = 0;
    ended = false;
  }

  @Override
  int decode(CompressedInput in, byte[] into, int from, int room) throws IOException {
    while (at == end && !ended) {
      nextBlock(in);
    }
    if (at == end) {
      return -1;
    }
    int count = Math.min(room, end - at);
    System.arraycopy(window, at, into, from, count);
    at += count;
    return count;
  }

  private void nextBlock(CompressedInput in) throws IOException {
    int word = in.nextInt(LZ4);
    if (word == 0) {
      readTrailer(in);
      ended = true;
      return;
    }
    int size = word & Integer.MAX_VALUE;
    if (size > blockBytes) {
      throw in.corrupt(LZ4, "a block is longer than its frame allows");
    }
    in.next(compressed, size, LZ4);
    if ((flags & BLOCK_CHECKSUM) != 0 && in.nextInt(LZ4) != hash.hash(compressed, 0, size, 0)) {
      throw in.corrupt(LZ4, "the checksum of a block does not fit");
    }
    boolean linked = (flags & INDEPENDENT) == 0;
    int begin = linked ? keepHistory() : 0;
    if (word < 0) {
      System.arraycopy(compressed, 0, window, begin, size);
      end = begin + size;
    } else {
      end = Lz4Block.decode(compressed, size, window, 0, begin, begin + blockBytes);
      if (end < 0) {
        throw in.corrupt(LZ4, "a block cannot be decoded");
      }
    }
    at = begin;
    length += end - begin;
    if ((flags & CONTENT_CHECKSUM) != 0) {
      contentHash.update(window, begin, end - begin);
    }
  }

  /** Moves the last bytes that were given out to the start; where the next block begins. */
  private int keepHistory() {
    int kept = Math.min(end, HISTORY_BYTES);
    System.arraycopy(window, end - kept, window, 0, kept);
    return kept;
  }

  private void readTrailer(CompressedInput in) throws IOException {
    if ((flags & CONTENT_CHECKSUM) != 0 && in.nextInt(LZ4) != contentHash.getValue()) {
      throw in.corrupt(LZ4, "the checksum of a frame does not fit");
    }
    if (declared >= 0 && declared != length) {
      throw in.corrupt(
          LZ4, "a frame has %,d bytes and should have %,d".formatted(length, declared));
    }
  }

  @Override
  public void close() {
    contentHash.close();
  }
}
