package dev.drover.connectors.file;

import dev.drover.connectors.file.FileReadOptions.OnMismatch;
import dev.drover.connectors.file.SourceFiles.SourceFile;
import dev.drover.formats.FormatOptions;
import dev.drover.spi.Access;
import dev.drover.spi.Chunk;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Offset;
import dev.drover.spi.Problem;
import dev.drover.spi.Reader;
import dev.drover.spi.ReaderScope;
import dev.drover.spi.Schema;
import dev.drover.spi.Split;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads files to their ends, one after the other in the order in which they are assigned. */
final class FileReader implements Reader {

  private record Assigned(int index, @Nullable FileOffset from) {}

  private final List<SourceFile> files;
  private final FileReadOptions how;
  private final ReaderScope scope;
  private final Feed feed;
  private final OpenFiles open;
  private final Deque<Assigned> waiting = new ArrayDeque<>();

  /** Whether a file was begun that an earlier run, which came further, had not seen. */
  private int begunAnew = -1;

  private @Nullable SourceFile file;
  private int index;
  private @Nullable Content content;
  private long generation;
  private boolean atEnd;
  private boolean headerSeen;

  /** The first header there is, and the file that has it. */
  private @Nullable Schema firstSchema;

  private @Nullable SourceFile firstFile;

  FileReader(
      List<SourceFile> files,
      FileReadOptions how,
      FormatOptions options,
      ReaderScope scope,
      Access access) {
    this.files = files;
    this.how = how;
    this.scope = scope;
    this.feed = new Feed(options, scope);
    this.open = new OpenFiles(files, how, options, scope.buffers(), access);
  }

  @Override
  public void assign(Split assigned, @Nullable Offset from) {
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).split().equals(assigned)) {
        waiting.addLast(new Assigned(i, (FileOffset) from));
        if (file == null) {
          next();
        }
        return;
      }
    }
    throw new IllegalArgumentException(assigned.toString());
  }

  private void next() {
    Assigned next = waiting.pollFirst();
    if (next == null) {
      return;
    }
    tellOfAdded(next);
    SourceFile begun = files.get(next.index());
    file = begun;
    index = next.index();
    atEnd = false;
    headerSeen = false;
    generation = 0;
    located(
        () -> {
          Content opened = open.take(next.index());
          content = opened;
          FileOffset from = next.from();
          if (from == null) {
            feed.begin();
          } else {
            goOn(opened, begun.path(), from);
          }
          return begun;
        });
  }

  private void tellOfAdded(Assigned next) {
    if (next.from() == null) {
      begunAnew = next.index();
    } else if (begunAnew >= 0) {
      scope.warn(
          "%s was not there in the run that is resumed: its rows come now, after some of %s"
              .formatted(files.get(begunAnew).split().id(), files.get(next.index()).split().id()));
      begunAnew = -1;
    }
  }

  private void goOn(Content opened, Path path, FileOffset from) throws IOException {
    if (opened instanceof PlainContent(FileChannel channel)) {
      if (channel.size() < from.bytes()) {
        throw FileErrors.sourceChanged(
            path,
            "%s has %,d bytes, and %,d were read".formatted(path, channel.size(), from.bytes()));
      }
      FileMark mark = from.mark();
      if (mark != null && !mark.fits(channel, from.bytes())) {
        throw FileErrors.sourceChanged(path, path + " is not the file that was read");
      }
    }
    generation = from.generation();
    try {
      feed.begin(opened, from.bytes(), true);
    } catch (EOFException e) {
      throw FileErrors.sourceChanged(
          path, "%s has less than the %,d bytes that were read".formatted(path, from.bytes()));
    }
  }

  @Override
  public @Nullable Chunk read(Duration wait) {
    while (true) {
      Content current = content;
      SourceFile reading = file;
      if (current == null || reading == null) {
        return null;
      }
      Chunk chunk = located(() -> read(current, reading));
      if (chunk != null) {
        return chunk;
      }
      closeFile();
      scope.finished(reading.split());
      next();
    }
  }

  /** Null at the end. */
  private @Nullable Chunk read(Content current, SourceFile reading) throws IOException {
    while (true) {
      if (!atEnd) {
        feed.fill(current);
        atEnd = !feed.isFull();
      }
      int border = feed.cut(atEnd);
      if (border > 0) {
        checkHeader(reading);
        return feed.chunk(
            reading.split(), border, new FileOffset(generation, feed.offset() + border, null));
      }
      if (atEnd) {
        return null;
      }
      feed.grow();
    }
  }

  /** Compares the header, when it is seen, with that of the first file. */
  private void checkHeader(SourceFile reading) throws IOException {
    Schema own = headerSeen ? null : feed.schema();
    if (own == null) {
      return;
    }
    headerSeen = true;
    Schema expected = firstSchema(own, reading);
    SourceFile first = firstFile;
    if (first == null) {
      return;
    }
    String difference = ByName.difference(first.split().id(), expected, own);
    if (difference == null) {
      return;
    }
    if (how.onMismatch() == OnMismatch.ERROR) {
      throw new DroverException(
          new Problem(
              ErrorCode.HEADER_MISMATCH,
              "",
              "the header is not that of the first file: " + difference,
              "set on_mismatch to by_name to go by the names of the columns"));
    }
    feed.arrange(new ByName(expected, own));
  }

  private Schema firstSchema(Schema own, SourceFile reading) throws IOException {
    Schema known = firstSchema;
    for (int i = 0; known == null && i < index; i++) {
      // This run goes on behind the files before; their headers count all the same.
      known = open.header(i, scope);
      if (known != null) {
        firstFile = files.get(i);
      }
    }
    if (known == null) {
      known = own;
      firstFile = reading;
    }
    firstSchema = known;
    return known;
  }

  private interface Step<T extends @Nullable Object> {
    T run() throws IOException;
  }

  /** Says in which file something is wrong. */
  private <T extends @Nullable Object> T located(Step<T> step) {
    SourceFile current = file;
    if (current == null) {
      throw new IllegalStateException("no file is assigned");
    }
    String name = current.split().id();
    try {
      return step.run();
    } catch (IOException e) {
      throw FileErrors.of(e, "reading", current.path());
    } catch (DroverException e) {
      Problem problem = e.problem();
      if (problem.message().contains(name)) {
        throw e;
      }
      throw new DroverException(
          new Problem(
              problem.code(),
              problem.path(),
              name + ": " + problem.message(),
              problem.suggestion(),
              problem.allowed()),
          e);
    }
  }

  private void closeFile() {
    SourceFile current = file;
    Content opened = content;
    file = null;
    content = null;
    if (opened != null && current != null) {
      try {
        opened.close();
      } catch (IOException e) {
        throw FileErrors.of(e, "closing", current.path());
      }
    }
  }

  @Override
  public void close() {
    waiting.clear();
    feed.close();
    try {
      closeFile();
    } finally {
      open.close();
    }
  }
}
