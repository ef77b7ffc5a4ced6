package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Access;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Encoded;
import dev.drover.spi.Field;
import dev.drover.spi.Offset;
import dev.drover.spi.Progress;
import dev.drover.spi.RunMode;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.Type;
import dev.drover.spi.WriterScope;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Drives a writer by hand, as the engine would: lines in, commits with the number of lines. */
final class SinkRig {

  static final Split SPLIT = new Split("lines");

  private static final Schema LINES = new Schema(List.of(new Field("payload", Type.BYTES)));

  /**
   * A run into a file.
   *
   * @param id of its checkpoint; empty if it has none
   */
  record Run(FileSinkConfig config, RunMode mode, String id, String source, boolean resume) {}

  private SinkRig() {}

  static SinkWriter writer(Run run) {
    return writer(run, UnaryOperator.identity());
  }

  /**
   * @param sight how the writer sees the path
   */
  static SinkWriter writer(Run run, UnaryOperator<Path> sight) {
    Access access = new Reach(sight);
    return new FileSink(run.config(), access, run.mode()).writer(new Scope(run, access));
  }

  /** A path as it is given, and the real clock. */
  record Reach(UnaryOperator<Path> sight) implements Access {
    @Override
    public Path file(String path, FileUse use) {
      return sight.apply(Path.of(path));
    }

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }
  }

  private record Scope(Run run, Access access) implements WriterScope {
    @Override
    public Buffers buffers() {
      return PLAIN;
    }

    @Override
    public String checkpointId() {
      return run.id();
    }

    @Override
    public String source() {
      return run.source();
    }

    @Override
    public boolean resume() {
      return run.resume();
    }
  }

  /** Arrays that are always new. */
  static final Buffers PLAIN =
      new Buffers() {
        @Override
        public byte[] bytes(int length) {
          return new byte[length];
        }

        @Override
        public long[] longs(int length) {
          return new long[length];
        }

        @Override
        public void give(byte[] array) {}

        @Override
        public void give(long[] array) {}
      };

  static void write(SinkWriter writer, List<String> lines) {
    StringBuilder all = new StringBuilder();
    long[] cells = new long[lines.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = Batch.slice(all.length(), lines.get(i).length());
      all.append(lines.get(i));
    }
    byte[] arena = (all + " ".repeat(Batch.PADDING)).getBytes(UTF_8);
    Batch batch = new Batch(LINES, cells.length, arena, cells, null);
    Encoded encoded = writer.encoder(LINES).encode(batch);
    writer.write(encoded).toCompletableFuture().join();
    encoded.release();
  }

  static void commit(SinkWriter writer, int lines) {
    writer.commit(Map.of(SPLIT, new Progress(new Lines(lines), Integer.toString(lines))));
  }

  /** How many lines are committed, as the writer tells. */
  static int restore(SinkWriter writer) {
    return Integer.parseInt(writer.restore().getOrDefault(SPLIT, "0"));
  }

  private record Lines(int count) implements Offset {
    @Override
    public String text() {
      return Integer.toString(count);
    }

    @Override
    public int compareTo(Offset other) {
      return Integer.compare(count, ((Lines) other).count);
    }
  }
}
