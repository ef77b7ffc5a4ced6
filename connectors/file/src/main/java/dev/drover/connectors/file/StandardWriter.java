package dev.drover.connectors.file;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.formats.RowFormat;
import dev.drover.formats.SinkFormat;
import dev.drover.spi.Access.FileUse;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Progress;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Writes to standard output, from which nothing can be taken back. */
final class StandardWriter implements SinkWriter, Bytes {

  /** The JDK copies an array to native memory of the same size before it writes; this bounds it. */
  private static final int MAX_WRITE_BYTES = 512 << 10;

  private final SinkFormat sinkFormat;
  private final WriterScope scope;
  private final @Nullable Packer packer;

  private @Nullable FileChannel channel;

  /** Known from the first schema on. */
  private @Nullable RowFormat rows;

  private long end;

  StandardWriter(SinkFormat sinkFormat, Packing packing, WriterScope scope) {
    this.sinkFormat = sinkFormat;
    this.scope = scope;
    this.packer = packing.isNone() ? null : new Packer(packing, scope.buffers());
  }

  @Override
  public Map<Split, String> restore() {
    channel = scope.access().standard(FileUse.WRITE);
    return Map.of();
  }

  @Override
  public Encoder encoder(Schema schema) {
    RowFormat begun = rows;
    if (begun == null) {
      begun = Formats.rows(sinkFormat, scope.buffers());
      byte[] head = begun.head(schema);
      guarded(
          () -> {
            if (packer == null) {
              write(head, head.length);
            } else {
              packer.write(this, head);
            }
          });
      rows = begun;
    }
    Encoder encoder = begun.encoder(schema);
    return packer == null ? encoder : packer.around(encoder);
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      throw new IllegalStateException("restore has not been called");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.position() < length) {
      buffer.limit(Math.min(length, buffer.position() + MAX_WRITE_BYTES));
      open.write(buffer);
    }
    end += length;
  }

  @Override
  public long end() {
    return end;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Half a row may be out already: the error is none that is tried again after. */
  private static void guarded(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw FileErrors.closed(e);
    }
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    EncodedBytes bytes = (EncodedBytes) rows;
    guarded(
        () -> {
          if (packer == null) {
            write(bytes.array(), bytes.length());
          } else {
            packer.write(this, bytes);
          }
        });
    return CompletableFuture.completedStage(Written.ALL);
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    if (packer != null) {
      guarded(() -> packer.flush(this));
    }
  }

  @Override
  public Destination finish() {
    if (packer != null) {
      guarded(() -> packer.seal(this));
      packer.close();
    }
    return new Destination("standard output", false);
  }

  @Override
  public void abort() {
    if (packer != null) {
      packer.close();
    }
  }
}
