package dev.drover.connectors.file;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.spi.Buffers;
import dev.drover.spi.Destination;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Progress;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.Written;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Encodes rows as a format has them and writes them to where they land. */
final class FileWriter implements SinkWriter {

  private static final CompletionStage<Written> DONE =
      CompletableFuture.completedStage(Written.ALL);

  private final Path path;
  private final String format;
  private final Landing landing;
  private final Buffers buffers;

  FileWriter(Path path, String format, Landing landing, Buffers buffers) {
    this.path = path;
    this.format = format;
    this.landing = landing;
    this.buffers = buffers;
  }

  @Override
  public Map<Split, String> restore() {
    try {
      return landing.open();
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", path);
    }
  }

  @Override
  public Encoder encoder(Schema schema) {
    return Formats.encoder(format, schema, buffers);
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    try {
      landing.file().write((EncodedBytes) rows);
      return DONE;
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", path);
    }
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    try {
      landing.commit(upTo);
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", path);
    }
  }

  @Override
  public Destination finish() {
    try {
      return landing.finish();
    } catch (IOException e) {
      throw FileErrors.of(e, "writing", path);
    }
  }

  @Override
  public void abort() {
    try {
      landing.abort();
    } catch (IOException e) {
      throw FileErrors.of(e, "cleaning up after", path);
    }
  }
}
