package dev.drover.connectors.file;

import dev.drover.formats.FormatOptions;
import dev.drover.spi.Chunk;
import dev.drover.spi.Offset;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a file to its end. */
final class FileReader implements Reader {

  private final Path path;
  private final FormatOptions options;
  private final ReaderScope scope;

  private @Nullable Split split;
  private @Nullable FileBlocks blocks;

  FileReader(Path path, FormatOptions options, ReaderScope scope) {
    this.path = path;
    this.options = options;
    this.scope = scope;
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    try {
      long bytes = from == null ? 0 : ((FileOffset) from).bytes();
      blocks = new FileBlocks(path, bytes, options, scope);
      split = assigned;
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    FileBlocks open = blocks;
    Split current = split;
    if (open == null || current == null) {
      return null;
    }
    try {
      while (true) {
        boolean more = open.fill();
        FileBlocks.Cut cut = open.cut(!more);
        if (cut != null) {
          return new FileChunk(current, FileOffset.of(cut.end()), cut.bytes(), cut.records());
        }
        if (!more) {
          scope.finished(current);
          close();
          return null;
        }
      }
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", path);
    }
  }

  @Override
  public void close() {
    FileBlocks open = blocks;
    blocks = null;
    split = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw FileErrors.of(e, "closing", path);
      }
    }
  }
}
