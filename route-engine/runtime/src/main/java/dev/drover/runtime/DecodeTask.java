package dev.drover.runtime;

import dev.drover.runtime.Ring.Slot;
import dev.drover.spi.Batch;
import dev.drover.spi.Chunk;
import dev.drover.spi.Decoded;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import dev.drover.spi.Schema;
import dev.drover.transforms.Chain;
import dev.drover.transforms.Place;
import dev.drover.transforms.Transform;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A worker: decodes chunks and encodes their batches until there are no more. One thread each. */
final class DecodeTask implements Runnable, Decoded {

  /** Ends the decoding of a chunk early; carries nothing and costs no stack trace. */
  private static final class StopDecoding extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StopDecoding() {
      super(null, null, false, false);
    }
  }

  /** The encoders of a run by schema, shared by its workers. */
  static final class Encoders {
    private final Map<Schema, Encoder> bySchema = new ConcurrentHashMap<>();

    void put(Schema schema, Encoder encoder) {
      bySchema.put(schema, encoder);
    }

    @Nullable Encoder get(Schema schema) {
      return bySchema.get(schema);
    }
  }

  private final Ring ring;
  private final Encoders encoders;
  private final @Nullable Chain transforms;
  private final Rejects rejects;
  private final Runnable limitReached;
  private long rowsLeft;

  private @Nullable Slot slot;

  private Place place = Place.NOWHERE;

  /** Records of the chunk before those at hand. */
  private long seen;

  private Stage stage = Stage.DECODE;
  private @Nullable Schema lastSchema;
  private @Nullable Encoder lastEncoder;

  /**
   * @param rejects whether the first refused row ends the run
   * @param rowsLeft how many rows to let through; only exact if this is the only worker of the run
   * @param limitReached called once they are through
   */
  DecodeTask(
      Ring ring,
      Encoders encoders,
      List<Transform> transforms,
      Rejects rejects,
      long rowsLeft,
      Runnable limitReached) {
    this.ring = ring;
    this.encoders = encoders;
    this.transforms = transforms.isEmpty() ? null : new Chain(transforms, this::refuse);
    this.rejects = rejects;
    this.rowsLeft = rowsLeft;
    this.limitReached = limitReached;
  }

  @Override
  public void run() {
    try {
      Slot next;
      while ((next = ring.takeWork()) != null) {
        decode(next);
        ring.done(next);
      }
    } catch (InterruptedException e) {
      // The run is being stopped; what this worker held stays in the ring and is freed there.
      Thread.currentThread().interrupt();
    }
  }

  private void decode(Slot next) throws InterruptedException {
    Chunk chunk = next.chunk;
    if (chunk == null || rowsLeft == 0) {
      return;
    }
    slot = next;
    stage = Stage.DECODE;
    place = Place.of(chunk);
    seen = 0;
    try {
      chunk.decode(this);
    } catch (StopDecoding e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
    } catch (Throwable e) {
      // Also an OutOfMemoryError: it fails this run, not the process.
      next.failure = e;
      next.stage = stage;
    } finally {
      slot = null;
    }
    pack(next);
  }

  /** The rows before a failure are written too. */
  private void pack(Slot next) {
    Encoder last = lastEncoder;
    if (last == null || next.encoded.isEmpty()) {
      return;
    }
    try {
      List<Encoded> packed = last.pack(List.copyOf(next.encoded));
      next.encoded.clear();
      next.encoded.addAll(packed);
    } catch (RuntimeException | Error e) {
      if (next.failure == null) {
        next.failure = e;
        next.stage = Stage.ENCODE;
      }
    }
  }

  @Override
  public void batch(Batch batch) {
    Slot current = current();
    Batch passed = batch;
    if (transforms != null) {
      stage = Stage.TRANSFORM;
      passed = transforms.apply(batch, place);
      current.filtered += transforms.takeFiltered();
      seen += batch.rows();
      if (passed.rows() == 0 && passed.schema().equals(lastSchema)) {
        // The first rows of a schema are passed on even if there are none: a header may be made.
        stage = Stage.DECODE;
        return;
      }
    }
    if (passed.rows() > rowsLeft) {
      passed =
          new Batch(
              passed.schema(), (int) rowsLeft, passed.arena(), passed.cells(), passed.marks());
    }
    stage = Stage.ENCODE;
    Encoder encoder = encoder(current, passed.schema());
    current.encoded.add(encoder.encode(passed));
    current.rows += passed.rows();
    stage = Stage.DECODE;
    rowsLeft -= passed.rows();
    if (rowsLeft == 0) {
      limitReached.run();
      throw new StopDecoding();
    }
  }

  @Override
  public void reject(RejectedRow row) {
    seen++;
    reject(row, Stage.DECODE);
  }

  @Override
  public void repaired(long line) {
    current().repaired.add(line);
  }

  private void reject(RejectedRow row, Stage by) {
    current().rejected.add(new Ring.Refused(row, by));
    if (rejects.fail()) {
      throw new StopDecoding();
    }
  }

  /** A transform refuses a row of a batch. */
  private void refuse(Batch batch, int row, ErrorCode code, String message) {
    RejectedRow refused = new RejectedRow(code, seen + row + 1, 0, 0, message);
    if (rejects.onReject() == OnReject.DEAD_LETTER) {
      byte[] json = RowJson.of(batch, row);
      refused = refused.withRow(json, 0, json.length);
    }
    reject(refused, Stage.TRANSFORM);
  }

  @Override
  public void advanced(long records, long lines) {
    Slot current = current();
    current.records = records;
    current.lines = lines;
  }

  private Slot current() {
    if (slot == null) {
      throw new IllegalStateException("called outside of decode");
    }
    return slot;
  }

  private Encoder encoder(Slot current, Schema schema) {
    Encoder last = lastEncoder;
    if (last != null && schema.equals(lastSchema)) {
      return last;
    }
    Encoder encoder = encoders.get(schema);
    if (encoder == null) {
      try {
        encoder = ring.awaitEncoder(current, schema);
      } catch (InterruptedException | CancellationException e) {
        Thread.currentThread().interrupt();
        throw new StopDecoding();
      }
    }
    lastSchema = schema;
    lastEncoder = encoder;
    return encoder;
  }
}
