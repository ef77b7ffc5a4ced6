package dev.drover.connectors.file;

import dev.drover.connectors.file.SourceFiles.SourceFile;
import dev.drover.formats.Compression;
import dev.drover.formats.FormatOptions;
import dev.drover.formats.Formats;
import dev.drover.formats.Transcoder;
import dev.drover.spi.Access;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.Buffers;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Schema;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of a source. Behind a compressed one the next is opened too, so that its first
 * bytes are decompressed by the time they are wanted: two threads and their blocks at most.
 */
final class OpenFiles implements AutoCloseable {

  private final List<SourceFile> files;
  private final FileReadOptions how;
  private final FormatOptions options;
  private final Buffers buffers;
  private final Access access;

  private int nextIndex = -1;
  private @Nullable Content next;

  OpenFiles(
      List<SourceFile> files,
      FileReadOptions how,
      FormatOptions options,
      Buffers buffers,
      Access access) {
    this.files = files;
    this.how = how;
    this.options = options;
    this.buffers = buffers;
    this.access = access;
  }

  /** The bytes of a file, from their start; to be closed by who takes them. */
  Content take(int index) throws IOException {
    Content taken = nextIndex == index ? next : null;
    if (taken != null) {
      next = null;
    } else {
      close();
      taken = open(files.get(index));
    }
    int following = index + 1;
    if (taken.isAhead() && following < files.size()) {
      SourceFile file = files.get(following);
      // Opening a pipe waits for its other side, and what is missing is told in its turn.
      next = file.isRegular() && Files.isReadable(file.path()) ? open(file) : null;
      nextIndex = following;
    }
    return taken;
  }

  private Content open(SourceFile file) throws IOException {
    Path path = file.path();
    FileChannel channel =
        file.standard()
            ? access.standard(FileUse.READ)
            : FileChannel.open(path, StandardOpenOption.READ);
    boolean opened = false;
    try {
      boolean plain =
          how.compression() == Compression.NONE
              || (file.isRegular()
                  && how.compression() == Compression.AUTO
                  && Compression.isPlain(
                      FileMark.read(channel, 0, Compression.MAGIC_BYTES), name(path)));
      Content content =
          plain
              ? new PlainContent(channel)
              : new DecompressedContent(channel, how.decompression(name(path)), buffers);
      boolean known = plain && file.isRegular();
      boolean mayBeCoded = Formats.isCsv(options) && (!known || isCoded(channel));
      content = mayBeCoded ? new TranscodedContent(content, options.csv().encoding()) : content;
      opened = true;
      return content;
    } finally {
      if (!opened) {
        channel.close();
      }
    }
  }

  /** Whether the file is in another encoding than UTF-8. */
  private boolean isCoded(FileChannel channel) throws IOException {
    if (Transcoder.charset(options.csv().encoding()) != null) {
      return true;
    }
    byte[] head = FileMark.read(channel, 0, Transcoder.MARK_BYTES);
    return options.csv().encoding() == null && Transcoder.marked(head, head.length) != null;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** The header of a file; null if it has none. */
  @Nullable Schema header(int index, ReaderScope scope) throws IOException {
    Feed feed = new Feed(options, scope);
    try (Content content = open(files.get(index))) {
      feed.begin();
      while (true) {
        feed.fill(content);
        boolean end = !feed.isFull();
        int border = feed.cut(end);
        Schema schema = feed.schema();
        if (schema != null || (end && border == 0)) {
          return schema;
        }
        if (border > 0) {
          feed.discard(border);
        } else {
          feed.grow();
        }
      }
    } finally {
      feed.close();
    }
  }

  @Override
  public void close() {
    Content unused = next;
    next = null;
    nextIndex = -1;
    if (unused != null) {
      try {
        unused.close();
      } catch (IOException e) {
        // It was only read from.
      }
    }
  }
}
