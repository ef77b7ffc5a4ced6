package dev.drover.formats;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What compressed bytes hold: any number of members or frames of one kind, one after the other,
 * with skippable frames between those of zstd and lz4. An end inside of a member is an error, and
 * so is anything else that is not whole. Bytes that are not compressed come through as they are.
 *
 * <p>One thread, the same from the first {@link #read} to {@link #close}.
 */
public final class Decompressor implements ByteSource, AutoCloseable {

  /**
   * How to decompress.
   *
   * @param compression {@link Compression#AUTO}: as the first bytes say
   * @param fileName decides if there are no bytes at all
   * @param maxBytes how many bytes may come out: {@code max_decompressed_bytes}; 0: any number
   * @param maxWindowBytes how much memory a frame may ask for: {@code max_window_bytes}
   */
  public record Settings(
      Compression compression, String fileName, long maxBytes, int maxWindowBytes) {

    /** The default of {@code max_window_bytes}, and the most that it can be: 128 MiB. */
    public static final int MAX_WINDOW_BYTES = 128 << 20;

    /** Whatever it is and however much. */
    public static Settings of(Compression compression, String fileName) {
      return new Settings(compression, fileName, 0, MAX_WINDOW_BYTES);
    }
  }

  private final CompressedInput in;
  private final Settings settings;

  private @Nullable Compression kind;
  private @Nullable MemberDecoder decoder;
  private boolean inMember;
  private boolean ended;
  private long given;
  private long border;

  public Decompressor(ByteSource compressed, Settings settings) {
    this.in = new CompressedInput(compressed);
    this.settings = settings;
    this.kind = settings.compression() == Compression.AUTO ? null : settings.compression();
  }

  /** How the bytes are compressed; reads the first of them if need be. */
  public Compression kind() throws IOException {
    while (kind == null) {
      in.has(Compression.MAGIC_BYTES);
      kind = Compression.ofContent(in.buffer, in.at, in.available(), settings.fileName());
      if (kind == null) {
        skipFrame();
        if (!in.has(1)) {
          // Nothing but skippable frames, which both kinds have.
          kind = Compression.ZSTD;
          ended = true;
        }
      }
    }
    return kind;
  }

  /** How many compressed bytes are members that have ended. */
  public long border() {
    return border;
  }

  /** Whether reading has failed because the bytes end inside of a member. */
  public boolean isTruncated() {
    return in.isTruncated();
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    Compression now = kind();
    if (now == Compression.NONE) {
      return plain(into, from, length);
    }
    while (!ended) {
      MemberDecoder open = decoder(now);
      if (!inMember) {
        inMember = begin(now, open);
        continue;
      }
      int count = open.decode(in, into, from, length);
      if (count > 0) {
        given += count;
        checkLimit();
        return count;
      }
      inMember = false;
      border = in.used();
    }
    return -1;
  }

  private MemberDecoder decoder(Compression now) {
    if (decoder == null) {
      decoder = MemberDecoder.of(now, settings.maxWindowBytes());
    }
    return decoder;
  }

  private int plain(byte[] into, int from, int length) throws IOException {
    if (in.at == in.end && !in.more()) {
      return -1;
    }
    int count = Math.min(length, in.available());
    System.arraycopy(in.buffer, in.at, into, from, count);
    in.at += count;
    return count;
  }

  /** Begins the next member; false if there is none, or a frame was passed over. */
  private boolean begin(Compression now, MemberDecoder open) throws IOException {
    if (!in.has(1)) {
      if (in.used() == 0) {
        throw in.truncated(now);
      }
      ended = true;
      return false;
    }
    in.has(Integer.BYTES);
    if (open.begins(in)) {
      open.begin(in);
      return true;
    }
    if (now == Compression.GZIP) {
      skipPadding();
      return false;
    }
    if (in.available() >= Integer.BYTES
        && Compression.isSkippable(Compression.littleEndian(in.buffer, in.at))) {
      skipFrame();
      border = in.used();
      return false;
    }
    throw trailing(now);
  }

  /** Tapes and some devices fill their last block with zeros. */
  private void skipPadding() throws IOException {
    boolean first = in.used() == 0;
    while (!first && in.has(1) && in.buffer[in.at] == 0) {
      in.at++;
    }
    if (first || in.has(1)) {
      throw trailing(Compression.GZIP);
    }
    ended = true;
  }

  private DroverException trailing(Compression now) {
    if (in.used() == 0) {
      return in.corrupt(now, "it does not begin as such data does");
    }
    boolean cut = in.available() < Integer.BYTES;
    return cut
        ? in.truncated(now)
        : in.corrupt(now, "something else follows after the last whole member");
  }

  private void skipFrame() throws IOException {
    in.skip(Integer.BYTES, Compression.ZSTD);
    in.skip(in.nextInt(Compression.ZSTD) & 0xffffffffL, Compression.ZSTD);
  }

  private void checkLimit() {
    if (settings.maxBytes() > 0 && given > settings.maxBytes()) {
      throw new DroverException(
          new Problem(
              ErrorCode.LIMIT_EXCEEDED,
              "",
              "it holds more than `max_decompressed_bytes` (%,d)".formatted(settings.maxBytes()),
              "set a larger max_decompressed_bytes if the file is what you expect"));
    }
  }

  /** Frees memory outside of the heap; the compressed bytes stay with who opened them. */
  @Override
  public void close() {
    if (decoder != null) {
      decoder.close();
      decoder = null;
      ended = true;
    }
  }
}
