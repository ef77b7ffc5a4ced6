package dev.drover.connectors.file;

import dev.drover.formats.FormatOptions;
import dev.drover.spi.Chunk;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a file to its end. */
final class FileReader implements Reader {

  private final Path path;
  private final ReaderScope scope;
  private final Feed feed;

  private @Nullable Split split;
  private @Nullable FileChannel channel;
  private long generation;
  private boolean atEnd;

  FileReader(Path path, FormatOptions options, ReaderScope scope) {
    this.path = path;
    this.scope = scope;
    this.feed = new Feed(options, scope);
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    try {
      FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
      channel = opened;
      if (from == null) {
        feed.begin();
      } else {
        goOn(opened, (FileOffset) from);
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
    split = assigned;
  }

  private void goOn(FileChannel opened, FileOffset from) throws IOException {
    if (opened.size() < from.bytes()) {
      throw FileErrors.sourceChanged(
          path, "%s has %,d bytes, and %,d were read".formatted(path, opened.size(), from.bytes()));
    }
    FileMark mark = from.mark();
    if (mark != null && !mark.fits(opened, from.bytes())) {
      throw FileErrors.sourceChanged(path, path + " is not the file that was read");
    }
    generation = from.generation();
    feed.begin(opened, from.bytes(), true);
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    FileChannel open = channel;
    Split current = split;
    if (open == null || current == null) {
      return null;
    }
    while (true) {
      if (!atEnd) {
        fill(open);
      }
      int border = feed.cut(atEnd);
      if (border > 0) {
        return feed.chunk(
            current, border, new FileOffset(generation, feed.offset() + border, null));
      }
      if (atEnd) {
        scope.finished(current);
        close();
        return null;
      }
      feed.grow();
    }
  }

  private void fill(FileChannel open) {
    try {
      feed.fill(open);
      atEnd = !feed.isFull();
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  @Override
  public void close() {
    split = null;
    FileChannel open = channel;
    if (open != null) {
      channel = null;
      feed.close();
      try {
        open.close();
      } catch (IOException e) {
        throw FileErrors.of(e, "closing", path);
      }
    }
  }
}
