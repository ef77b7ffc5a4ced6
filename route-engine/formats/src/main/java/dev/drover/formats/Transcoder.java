package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/**
 * Text of any encoding as UTF-8, without its byte-order mark. What is malformed is an error with
 * its line and column, never a replacement. One thread.
 */
public final class Transcoder implements ByteSource {

  /** How many of the first bytes {@link #marked} looks at. */
  public static final int MARK_BYTES = 4;

  private static final int BLOCK = 32 << 10;
  private static final int MOST_BYTES_OF_CHAR = 3;

  private final ByteSource from;
  private final Charset charset;
  private final CharsetDecoder decoder;
  private final CharsetEncoder encoder = UTF_8.newEncoder();
  private final ByteBuffer in = ByteBuffer.allocate(BLOCK).flip();
  private final CharBuffer chars = CharBuffer.allocate(BLOCK).flip();
  private final ByteBuffer out = ByteBuffer.allocate(MOST_BYTES_OF_CHAR * BLOCK).flip();
  private boolean ended;
  private boolean begun;

  // The place of the next character.
  private long line = 1;
  private long column = 1;
  private boolean afterReturn;

  /**
   * @param from the bytes from the first one on
   */
  public Transcoder(ByteSource from, Charset charset) {
    this.from = from;
    this.charset = charset;
    decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  /**
   * The encoding of a name.
   *
   * @return null for UTF-8, which needs no transcoding, and for no name
   * @throws DroverException invalid_argument at {@code /encoding}
   */
  public static @Nullable Charset charset(@Nullable String name) {
    if (name == null) {
      return null;
    }
    try {
      Charset charset = Charset.forName(name);
      return charset.equals(UTF_8) ? null : charset;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      String shown = name.length() <= 60 ? name : name.substring(0, 60) + "…";
      throw new DroverException(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/encoding",
              "there is no encoding `%s`".formatted(shown),
              "use a name such as UTF-8, UTF-16, ISO-8859-1 or windows-1252"));
    }
  }

  /** The encoding that a byte-order mark tells, if it is not UTF-8; null if there is none. */
  public static @Nullable Charset marked(byte[] bytes, int length) {
    int first = length > 0 ? bytes[0] & 0xff : 0;
    int second = length > 1 ? bytes[1] & 0xff : 0;
    boolean little = first == 0xff && second == 0xfe;
    if (little && length >= MARK_BYTES && bytes[2] == 0 && bytes[3] == 0) {
      return Charset.forName("UTF-32");
    }
    boolean big = first == 0xfe && second == 0xff;
    return little || big ? StandardCharsets.UTF_16 : null;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    while (!out.hasRemaining()) {
      if (ended && !in.hasRemaining() && !chars.hasRemaining()) {
        return -1;
      }
      fill();
      out.clear();
      // Half a surrogate pair stays until its other half is there.
      CoderResult encoded = encoder.encode(chars, out, ended && !in.hasRemaining());
      out.flip();
      if (encoded.isError()) {
        throw malformed();
      }
    }
    int count = Math.min(length, out.remaining());
    out.get(into, at, count);
    return count;
  }

  private void fill() throws IOException {
    if (!ended) {
      in.compact();
      int read = from.read(in.array(), in.position(), in.remaining());
      ended = read < 0;
      in.position(in.position() + Math.max(0, read));
      in.flip();
    }
    chars.compact();
    int before = chars.position();
    CoderResult decoded = decoder.decode(in, chars, ended);
    if (!decoded.isError() && ended && decoded.isUnderflow()) {
      decoder.flush(chars);
    }
    count(before);
    chars.flip();
    if (decoded.isError()) {
      throw malformed();
    }
  }

  /** Moves the place on, and leaves out a byte-order mark. */
  private void count(int before) {
    char[] text = chars.array();
    int from = before;
    if (!begun && chars.position() > before) {
      begun = true;
      if (text[before] == '\ufeff') {
        System.arraycopy(text, before + 1, text, before, chars.position() - before - 1);
        chars.position(chars.position() - 1);
      }
    }
    for (int i = from; i < chars.position(); i++) {
      char c = text[i];
      if (c == '\n' && afterReturn) {
        afterReturn = false;
        continue;
      }
      afterReturn = c == '\r';
      if (c == '\n' || c == '\r') {
        line++;
        column = 1;
      } else if (!Character.isLowSurrogate(c)) {
        column++;
      }
    }
  }

  private DroverException malformed() {
    return new DroverException(
        new Problem(
            ErrorCode.INVALID_ENCODING,
            "",
            "line %d, column %d: what stands here is no %s".formatted(line, column, charset.name()),
            charset.name().startsWith("UTF")
                ? "get the file whole again, as it may be cut short; or set `encoding` to what it is in"
                : "set `encoding` to what the file is in; ISO-8859-1 has a character for every byte"));
  }
}
