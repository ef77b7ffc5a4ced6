package dev.drover.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.Field;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.Type;
import dev.drover.spi.Written;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Stores refused rows in a sink of their own, each as {@code
 * {code,message,stage,attempt,split,offset,line,row|row_base64}}. Used by the run's writer thread;
 * a call returns when the sink has answered. Refused rows are rare, so nothing here is in a hurry.
 */
final class DeadLetters {

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("code", Type.STRING),
              new Field("message", Type.STRING),
              new Field("stage", Type.STRING),
              new Field("attempt", Type.INT64),
              new Field("split", Type.STRING),
              new Field("offset", Type.STRING),
              new Field("line", Type.INT64),
              new Field("row", Type.STRING),
              new Field("row_base64", Type.STRING)));

  /**
   * A refused row with its place in the whole split.
   *
   * @param offset the end of the chunk that it was in
   * @param line from 1; 0 if unknown
   */
  record Letter(Split split, String offset, long line, Stage stage, int attempt, RejectedRow row) {}

  private final SinkWriter writer;
  private @Nullable Encoder encoder;

  DeadLetters(SinkWriter writer) {
    this.writer = writer;
  }

  void open() {
    writer.restore();
  }

  /** Hands the rows to the sink; if it fails, none counts as stored. */
  void store(List<Letter> letters) {
    if (encoder == null) {
      encoder = writer.encoder(SCHEMA);
    }
    Encoded encoded = encoder.encode(batch(letters));
    try {
      Written written = writer.write(encoded).toCompletableFuture().join();
      if (!written.rejected().isEmpty()) {
        throw new IllegalStateException(
            "the dead letter sink refuses rows too: " + written.rejected().getFirst().message());
      }
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      encoded.release();
    }
  }

  void commit() {
    writer.commit(Map.of());
  }

  void finish() {
    writer.finish();
  }

  void abort() {
    writer.abort();
  }

  private static Batch batch(List<Letter> letters) {
    Cells cells = new Cells(letters.size() * SCHEMA.size());
    for (Letter letter : letters) {
      RejectedRow row = letter.row();
      cells.text(row.code().wire());
      cells.text(row.message());
      cells.text(letter.stage().wire());
      cells.number(letter.attempt());
      cells.text(letter.split().id());
      cells.text(letter.offset());
      if (letter.line() > 0) {
        cells.number(letter.line());
      } else {
        cells.absent();
      }
      ByteBuffer bytes = row.row();
      String text = bytes == null ? null : utf8(bytes);
      if (text != null) {
        cells.text(text);
        cells.absent();
      } else {
        cells.absent();
        if (bytes == null) {
          cells.absent();
        } else {
          cells.text(UTF_8.decode(Base64.getEncoder().encode(bytes.duplicate())).toString());
        }
      }
    }
    return cells.batch(letters.size());
  }

  private static @Nullable String utf8(ByteBuffer bytes) {
    try {
      return UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Fills a batch cell by cell. */
  private static final class Cells {
    private final ByteArrayOutputStream arena = new ByteArrayOutputStream();
    private final long[] cells;
    private final byte[] marks;
    private int next;

    Cells(int count) {
      cells = new long[count];
      marks = new byte[count];
    }

    void text(String text) {
      byte[] bytes = text.getBytes(UTF_8);
      cells[next++] = Batch.slice(arena.size(), bytes.length);
      arena.writeBytes(bytes);
    }

    void number(long number) {
      cells[next++] = number;
    }

    void absent() {
      marks[next++] = Batch.ABSENT;
    }

    Batch batch(int rows) {
      byte[] bytes = arena.toByteArray();
      return new Batch(
          SCHEMA, rows, Arrays.copyOf(bytes, bytes.length + Batch.PADDING), cells, marks);
    }
  }
}
