package dev.drover.formats;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compresses encoded rows, the rows of a chunk to a member or frame of their own, so that a file
 * can be cut between any two of them. Any thread.
 */
public final class Compressor implements AutoCloseable {

  /**
   * What is smaller is better put together with what follows. From here on a member takes at most a
   * tenth more room than one of any length, see docs/files.md.
   */
  public static final int LEAST_MEMBER_BYTES = 64 << 10;

  /** A member of more bytes would save nothing; what is larger becomes several. */
  private static final int MOST_MEMBER_BYTES = 16 << 20;

  private static final int LEAST_LEVEL = 1;
  private static final int MOST_GZIP_LEVEL = 9;
  private static final int MOST_ZSTD_LEVEL = 19;

  private final Compression kind;
  private static final int GZIP_LEVEL = 6;

  /** The tool's own is 3, whose larger tables do not pay for members of a few hundred KiB. */
  private static final int ZSTD_LEVEL = 2;

  private final int level;
  private final Buffers buffers;

  // Guarded by this.
  private final List<MemberEncoder> idle = new ArrayList<>();
  private boolean closed;

  /**
   * @param kind gzip, zstd or lz4
   * @param level as {@link #level} gives it
   */
  public Compressor(Compression kind, int level, Buffers buffers) {
    this.kind = kind;
    this.level = level;
    this.buffers = buffers;
  }

  /**
   * The level to compress with.
   *
   * @param wanted {@code compression_level}; null: a good one
   * @throws DroverException invalid_argument if there is no such level
   */
  public static int level(Compression kind, @Nullable Integer wanted) {
    int most =
        switch (kind) {
          case GZIP -> MOST_GZIP_LEVEL;
          case ZSTD -> MOST_ZSTD_LEVEL;
          case LZ4, NONE, AUTO -> 0;
        };
    if (wanted == null) {
      return kind == Compression.GZIP ? GZIP_LEVEL : kind == Compression.ZSTD ? ZSTD_LEVEL : 0;
    }
    if (most == 0) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/compression_level",
              "`%s` has no levels".formatted(kind.wire()),
              "leave compression_level out, or choose gzip or zstd"));
    }
    if (wanted < LEAST_LEVEL || wanted > most) {
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/compression_level",
              "%d is no level of %s".formatted(wanted, kind.wire()),
              "choose one from %d to %d".formatted(LEAST_LEVEL, most)));
    }
    return wanted;
  }

  /** An encoder that makes the same rows, and members of all rows of a chunk that has enough. */
  public Encoder around(Encoder encoder) {
    return new Encoder() {
      @Override
      public Encoded encode(Batch batch) {
        return encoder.encode(batch);
      }

      @Override
      public List<Encoded> pack(List<Encoded> rows) {
        return packed(rows);
      }
    };
  }

  private List<Encoded> packed(List<Encoded> rows) {
    long bytes = 0;
    int count = 0;
    for (Encoded some : rows) {
      bytes += some.bytes();
      count += some.rows();
    }
    if (bytes < LEAST_MEMBER_BYTES) {
      return rows;
    }
    EncodedBytes first = (EncodedBytes) rows.getFirst();
    if (rows.size() == 1) {
      EncodedBytes packed = compress(first.array(), first.length(), count);
      first.release();
      return List.of(packed);
    }
    if (bytes > MOST_MEMBER_BYTES) {
      return eachPacked(rows);
    }
    byte[] joined = buffers.bytes((int) bytes);
    int at = 0;
    for (Encoded some : rows) {
      EncodedBytes encoded = (EncodedBytes) some;
      System.arraycopy(encoded.array(), 0, joined, at, encoded.length());
      at += encoded.length();
    }
    try {
      EncodedBytes packed = compress(joined, at, count);
      rows.forEach(Encoded::release);
      return List.of(packed);
    } finally {
      buffers.give(joined);
    }
  }

  private List<Encoded> eachPacked(List<Encoded> rows) {
    List<Encoded> packed = new ArrayList<>();
    for (Encoded some : rows) {
      EncodedBytes encoded = (EncodedBytes) some;
      packed.add(compress(encoded.array(), encoded.length(), encoded.rows()));
    }
    rows.forEach(Encoded::release);
    return packed;
  }

  /**
   * Compresses bytes to whole members.
   *
   * @param rows how many rows they are
   */
  public EncodedBytes compress(byte[] bytes, int length, int rows) {
    MemberEncoder encoder = take();
    try {
      byte[] out = buffers.bytes(room(encoder, Math.min(length, MOST_MEMBER_BYTES)));
      int at = 0;
      for (int from = 0; from == 0 || from < length; from += MOST_MEMBER_BYTES) {
        int count = Math.min(length - from, MOST_MEMBER_BYTES);
        long needed = (long) at + room(encoder, count);
        if (needed > out.length) {
          out = larger(out, at, needed);
        }
        at = encoder.encode(bytes, from, count, out, at);
      }
      return new EncodedBytes(buffers, out, at, rows, true);
    } finally {
      put(encoder);
    }
  }

  private static int room(MemberEncoder encoder, int length) {
    return encoder.room(length);
  }

  private byte[] larger(byte[] out, int used, long needed) {
    if (needed > Integer.MAX_VALUE - Batch.PADDING) {
      throw new DroverException(
          ErrorCode.LIMIT_EXCEEDED,
          "a batch takes more than 2 GiB compressed; set a smaller `max_batch_rows`");
    }
    byte[] next = buffers.bytes((int) Math.min(2 * needed, Integer.MAX_VALUE - Batch.PADDING));
    System.arraycopy(out, 0, next, 0, used);
    buffers.give(out);
    return next;
  }

  private MemberEncoder take() {
    synchronized (this) {
      if (!idle.isEmpty()) {
        return idle.removeLast();
      }
    }
    return MemberEncoder.of(kind, level);
  }

  private void put(MemberEncoder encoder) {
    synchronized (this) {
      if (!closed) {
        idle.add(encoder);
        return;
      }
    }
    encoder.close();
  }

  /** Frees memory outside of the heap; what a worker still uses goes when it is done. */
  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(MemberEncoder::close);
    idle.clear();
  }
}
