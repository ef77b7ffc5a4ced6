package dev.drover.formats;

import java.io.IOException;

/**
 * Decodes members, or frames, of one kind. The order of calls is: {@link #begin}, {@link #decode}
 * until it gives -1, and again for the next member. One thread.
 */
abstract sealed class MemberDecoder implements AutoCloseable
    permits GzipMembers, ZstdFrames, Lz4Frames {

  static MemberDecoder of(Compression kind, int maxWindowBytes) {
    return switch (kind) {
      case GZIP -> new GzipMembers();
      case ZSTD -> new ZstdFrames(maxWindowBytes);
      case LZ4 -> new Lz4Frames();
      case AUTO, NONE -> throw new IllegalArgumentException(kind.toString());
    };
  }

  /** Whether the unused bytes, of which four are there unless the input ends, begin a member. */
  abstract boolean begins(CompressedInput in);

  /**
   * Reads the head of a member.
   *
   * @throws dev.drover.spi.DroverException corrupt_input if it is broken or cut off; limit_exceeded
   *     if decoding it would take too much memory
   */
  abstract void begin(CompressedInput in) throws IOException;

  /**
   * Decodes on.
   *
   * @param length at least 1
   * @return how many bytes, at least 1; -1 if the member has ended and is what its checksums say
   * @throws dev.drover.spi.DroverException corrupt_input
   */
  abstract int decode(CompressedInput in, byte[] into, int from, int length) throws IOException;

  /** Frees memory outside of the heap. */
  @Override
  public void close() {}
}
