package dev.drover.formats;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/** Makes members, or frames, of one kind, with their checksums. One thread at a time. */
abstract sealed class MemberEncoder implements AutoCloseable {

  static MemberEncoder of(Compression kind, int level) {
    return switch (kind) {
      case GZIP -> new Gzip(level);
      case ZSTD -> new ZstdFrame(level);
      case LZ4 -> new Lz4();
      case AUTO, NONE -> throw new IllegalArgumentException(kind.toString());
    };
  }

  /** How long a member of so many bytes can be. */
  abstract int room(int length);

  /**
   * Writes one member.
   *
   * @param out with at least {@link #room} bytes from {@code at}
   * @return the index after it
   */
  abstract int encode(byte[] in, int from, int length, byte[] out, int at);

  @Override
  public void close() {}

  static int putInt(byte[] out, int at, int value) {
    out[at] = (byte) value;
    out[at + 1] = (byte) (value >>> 8);
    out[at + 2] = (byte) (value >>> 16);
    out[at + 3] = (byte) (value >>> 24);
    return at + Integer.BYTES;
  }

  private static final class Gzip extends MemberEncoder {

    private static final int FRAME_BYTES = 18;

    /** No name and no time, so that the same rows make the same bytes; of no particular system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Deflater deflater;
    private final CRC32 crc = new CRC32();

    Gzip(int level) {
      deflater = new Deflater(level, true);
    }

    @Override
    int room(int length) {
      // What zlib says of its worst case, and more.
      return length + (length >> 10) + 256 + FRAME_BYTES;
    }

    @Override
    int encode(byte[] in, int from, int length, byte[] out, int at) {
      System.arraycopy(HEADER, 0, out, at, HEADER.length);
      int end = at + HEADER.length;
      deflater.reset();
      deflater.setInput(in, from, length);
      deflater.finish();
      while (!deflater.finished()) {
        int count = deflater.deflate(out, end, out.length - end);
        if (count == 0) {
          throw new IllegalStateException("no room for what is compressed");
        }
        end += count;
      }
      crc.reset();
      crc.update(in, from, length);
      end = putInt(out, end, (int) crc.getValue());
      return putInt(out, end, length);
    }

    @Override
    public void close() {
      deflater.end();
    }
  }

  private static final class ZstdFrame extends MemberEncoder {

    private final ZstdCompressCtx context = new ZstdCompressCtx();

    ZstdFrame(int level) {
      context.setLevel(level);
      context.setChecksum(true);
    }

    @Override
    int room(int length) {
      return (int) Zstd.compressBound(length);
    }

    @Override
    int encode(byte[] in, int from, int length, byte[] out, int at) {
      return at + context.compressByteArray(out, at, out.length - at, in, from, length);
    }

    @Override
    public void close() {
      context.close();
    }
  }

  private static final class Lz4 extends MemberEncoder {

    private static final int BLOCK_BYTES = 4 << 20;
    private static final int LEAST_SIZE_CODE = 4;
    private static final int MOST_SIZE_CODE = 7;
    private static final int STORED = 1 << 31;
    private static final int FRAME_BYTES = 32;

    /** Version 1, blocks that stand for themselves, a checksum at the end. */
    private static final byte FLAGS = 0x64;

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();

    @Override
    int room(int length) {
      int blocks = length / BLOCK_BYTES + 1;
      return compressor.maxCompressedLength(length) + FRAME_BYTES + blocks * 32;
    }

    @Override
    int encode(byte[] in, int from, int length, byte[] out, int at) {
      int code = LEAST_SIZE_CODE;
      while (code < MOST_SIZE_CODE && 1 << (8 + 2 * code) < length) {
        code++;
      }
      int end = putInt(out, at, Compression.LZ4_MAGIC);
      out[end] = FLAGS;
      out[end + 1] = (byte) (code << 4);
      out[end + 2] = (byte) (hash.hash(out, end, 2, 0) >>> 8);
      end += 3;
      for (int done = 0; done < length; done += BLOCK_BYTES) {
        int count = Math.min(BLOCK_BYTES, length - done);
        int body = end + Integer.BYTES;
        int size = compressor.compress(in, from + done, count, out, body, out.length - body);
        int word = size;
        if (size >= count) {
          System.arraycopy(in, from + done, out, body, count);
          size = count;
          word = count | STORED;
        }
        putInt(out, end, word);
        end = body + size;
      }
      end = putInt(out, end, 0);
      return putInt(out, end, hash.hash(in, from, length, 0));
    }
  }
}
