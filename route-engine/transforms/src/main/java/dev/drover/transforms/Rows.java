package dev.drover.transforms;

import dev.drover.formats.JsonOutput;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.ErrorCode;
import java.util.Arrays;

/**
 * What the steps of a chain share while a batch passes: the arena, which is that of the batch until
 * a step needs new bytes, and from which row of the batch each row comes. One worker.
 */
final class Rows {

  /** Takes what is refused. */
  @FunctionalInterface
  interface Refusals {
    /**
     * @param row the row of the batch that entered the chain
     */
    void refuse(int row, ErrorCode code, String message);
  }

  private static final int FIRST_ROWS = 1024;

  private final JsonOutput own;
  private final Refusals refusals;

  private Place from = Place.NOWHERE;
  private byte[] shared = {};
  private boolean owned;

  private int[] origins = new int[FIRST_ROWS];
  private int[] next = new int[FIRST_ROWS];
  private boolean mapped;
  private int given;
  private long filtered;

  Rows(Refusals refusals) {
    // Not from the run's buffers: an array that grows is read from while it is copied.
    this.own = new JsonOutput(Buffers.heap(), 0);
    this.refusals = refusals;
  }

  /** A batch enters. */
  void begin(byte[] arena, Place place) {
    shared = arena;
    from = place;
    owned = false;
    mapped = false;
    given = 0;
  }

  /** A step has returned. */
  void stepDone() {
    if (given > 0) {
      int[] free = origins;
      origins = next;
      next = free;
      mapped = true;
      given = 0;
    }
  }

  /** The split that the rows come from. */
  String split() {
    return from.split();
  }

  /** What {@link #start} is a place in. */
  String stream() {
    return from.stream();
  }

  /** Where the arena began before anything was put into it. */
  long start() {
    return from.start();
  }

  /** The arena as it is now; another one after {@link #output}. */
  byte[] arena() {
    if (owned) {
      own.reserve(Batch.PADDING);
      return own.bytes;
    }
    return shared;
  }

  /**
   * The arena as something that can be written to at its end; slices into the arena stay valid,
   * arrays that {@link #arena} gave before do not have the new bytes.
   */
  JsonOutput output() {
    if (!owned) {
      own.at = 0;
      own.put(shared, 0, shared.length);
      owned = true;
    }
    return own;
  }

  /** The next row of the result comes from this row of the step's batch. */
  void from(int row) {
    if (given == next.length) {
      next = Arrays.copyOf(next, 2 * given);
    }
    next[given++] = origin(row);
  }

  /** The row of the batch that entered the chain. */
  private int origin(int row) {
    return mapped ? origins[row] : row;
  }

  /** So many rows are no part of the result, as they are not wanted. */
  void filtered(int count) {
    filtered += count;
  }

  /** How many rows were left out since the last call. */
  long takeFiltered() {
    long taken = filtered;
    filtered = 0;
    return taken;
  }

  /** Refuses a row of the step's batch; the step leaves it out of its result. */
  void refuse(int row, ErrorCode code, String message) {
    refusals.refuse(origin(row), code, message);
  }
}
