package dev.drover.connectors.file;

import dev.drover.formats.Transcoder;
import java.io.IOException;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** A content that is text of some encoding, as UTF-8. What is UTF-8 already passes as it is. */
final class TranscodedContent implements Content {

  private final Content content;
  private final @Nullable String encoding;

  // The first bytes, until they are given out.
  private final byte[] head = new byte[Transcoder.MARK_BYTES];
  private int headAt;
  private int headLength;

  private boolean begun;
  private @Nullable Transcoder transcoder;

  /**
   * @param encoding null to go by the first bytes
   */
  TranscodedContent(Content content, @Nullable String encoding) {
    this.content = content;
    this.encoding = encoding;
  }

  private void begin() throws IOException {
    begun = true;
    Charset charset = Transcoder.charset(encoding);
    if (encoding == null) {
      int read = 0;
      while (read >= 0 && headLength < head.length) {
        read = content.read(head, headLength, head.length - headLength);
        headLength += Math.max(0, read);
      }
      charset = Transcoder.marked(head, headLength);
    }
    if (charset != null) {
      transcoder = new Transcoder(this::plain, charset);
    }
  }

  private int plain(byte[] into, int from, int length) throws IOException {
    if (headAt == headLength) {
      return content.read(into, from, length);
    }
    int count = Math.min(length, headLength - headAt);
    System.arraycopy(head, headAt, into, from, count);
    headAt += count;
    return count;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (!begun) {
      begin();
    }
    return transcoder == null ? plain(into, from, length) : transcoder.read(into, from, length);
  }

  @Override
  public boolean seek(long place) {
    return false;
  }

  @Override
  public boolean isAhead() {
    return content.isAhead();
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
