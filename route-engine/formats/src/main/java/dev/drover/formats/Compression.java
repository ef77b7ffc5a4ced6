package dev.drover.formats;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the bytes of a file are compressed: the option {@code compression}. */
public enum Compression {
  /** What is read is settled by its first bytes, what is written by the file's extension. */
  AUTO(""),
  /** As they are. */
  NONE(""),
  /** Members of RFC 1952. */
  GZIP("gz"),
  /** Frames of RFC 8878. */
  ZSTD("zst"),
  /** Frames of the LZ4 frame format. */
  LZ4("lz4");

  /** How many of the first bytes tell the compression. */
  public static final int MAGIC_BYTES = 6;

  static final int ZSTD_MAGIC = 0xfd2fb528;
  static final int LZ4_MAGIC = 0x184d2204;

  private static final int SKIPPABLE_MAGIC = 0x184d2a50;
  private static final int SKIPPABLE_MASK = 0xfffffff0;

  private static final List<String> UNKNOWN_EXTENSIONS =
      List.of("bz2", "xz", "zip", "7z", "br", "sz", "snappy", "z", "lzma", "lzo", "rar", "tgz");

  /** What other tools make, told by its first bytes so that the error can name it. */
  private enum Foreign {
    BZIP2("bzip2", "bzip2 -d", 'B', 'Z', 'h'),
    XZ("xz", "xz -d", 0xfd, '7', 'z', 'X', 'Z', 0),
    ZIP("zip", "unzip", 'P', 'K', 3, 4),
    LEGACY_LZ4("the legacy frame format of lz4", "lz4 -d", 0x02, 0x21, 0x4c, 0x18);

    private final String label;
    private final String tool;
    private final String magic;

    Foreign(String label, String tool, int... magic) {
      this.label = label;
      this.tool = tool;
      StringBuilder bytes = new StringBuilder();
      for (int b : magic) {
        bytes.append((char) b);
      }
      this.magic = bytes.toString();
    }

    boolean begins(byte[] bytes, int from, int length) {
      if (length < magic.length()) {
        return false;
      }
      for (int i = 0; i < magic.length(); i++) {
        if ((bytes[from + i] & 0xff) != magic.charAt(i)) {
          return false;
        }
      }
      // A line of text may begin with BZh; a digit and six fixed bytes follow in a file of bzip2.
      return this != BZIP2 || (length > 4 && bytes[from + 4] == '1');
    }
  }

  private final String extension;

  Compression(String extension) {
    this.extension = extension;
  }

  /** What a file's name says; {@link #NONE} if it says nothing. */
  public static Compression ofName(String fileName) {
    return switch (extension(fileName)) {
      case "gz", "gzip" -> GZIP;
      case "zst", "zstd" -> ZSTD;
      case "lz4" -> LZ4;
      default -> NONE;
    };
  }

  /** A file's name without the extension that says how it is compressed, if it has one. */
  public static String innerName(String fileName) {
    return ofName(fileName) == NONE ? fileName : fileName.substring(0, fileName.lastIndexOf('.'));
  }

  /**
   * How to write a file.
   *
   * @return anything but {@link #AUTO}
   * @throws DroverException not_supported if the extension is one of a compression that is not
   *     known
   */
  public Compression whenWriting(String fileName) {
    if (this != AUTO) {
      return this;
    }
    String last = extension(fileName);
    if (UNKNOWN_EXTENSIONS.contains(last)) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "/compression",
              "the extension `.%s` stands for a compression that cannot be written".formatted(last),
              "use .gz, .zst or .lz4; or set `compression` to none"));
    }
    return ofName(fileName);
  }

  /**
   * What the first bytes of a file tell.
   *
   * @param fileName decides only if there is no byte at all
   * @return null if nothing but a skippable frame is seen, which may be followed by zstd or lz4
   * @throws DroverException not_supported if it is a compression that cannot be read
   */
  static @Nullable Compression ofContent(byte[] bytes, int from, int length, String fileName) {
    if (length == 0) {
      return ofName(fileName);
    }
    for (Foreign foreign : Foreign.values()) {
      if (foreign.begins(bytes, from, length)) {
        throw new DroverException(
            new Problem(
                ErrorCode.NOT_SUPPORTED,
                "/compression",
                "it is compressed with %s, which cannot be read".formatted(foreign.label),
                "decompress it first, for example with %s".formatted(foreign.tool)));
      }
    }
    if (isGzip(bytes, from, length)) {
      return GZIP;
    }
    if (length < Integer.BYTES) {
      return NONE;
    }
    int magic = littleEndian(bytes, from);
    if (isSkippable(magic)) {
      return null;
    }
    return magic == ZSTD_MAGIC ? ZSTD : magic == LZ4_MAGIC ? LZ4 : NONE;
  }

  /**
   * Whether a file with these first bytes is to be read as it is.
   *
   * @param head the first {@link #MAGIC_BYTES}, or all there are
   * @throws DroverException not_supported if it is a compression that cannot be read
   */
  public static boolean isPlain(byte[] head, String fileName) {
    return ofContent(head, 0, head.length, fileName) == NONE;
  }

  /**
   * What the first bytes tell; {@link #NONE} if there are none.
   *
   * @throws DroverException not_supported if it is a compression that cannot be read
   */
  public static Compression ofHead(byte[] bytes, int length) {
    Compression kind = ofContent(bytes, 0, Math.min(length, MAGIC_BYTES), "");
    return kind == null ? ZSTD : kind;
  }

  static boolean isGzip(byte[] bytes, int from, int length) {
    return length >= 2 && (bytes[from] & 0xff) == 0x1f && (bytes[from + 1] & 0xff) == 0x8b;
  }

  /** Whether a frame of zstd or lz4 begins so whose content is to be passed over. */
  static boolean isSkippable(int magic) {
    return (magic & SKIPPABLE_MASK) == SKIPPABLE_MAGIC;
  }

  static int littleEndian(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }

  /** The name as options and errors have it. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The extension of its files without the dot; empty if it has none. */
  public String extension() {
    return extension;
  }

  private static String extension(String fileName) {
    int dot = fileName.lastIndexOf('.');
    int slash = Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\'));
    return dot > slash ? fileName.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
  }
}
