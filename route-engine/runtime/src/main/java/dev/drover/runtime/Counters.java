package dev.drover.runtime;

/** What a run has done so far, exact at every instant. Thread-safe. */
final class Counters {

  /** Samples for the rate of the last second. */
  private static final int SAMPLES = 64;

  private static final long SAMPLE_NANOS = 20_000_000;
  private static final long WINDOW_NANOS = 1_000_000_000;

  private final long[] sampleNanos = new long[SAMPLES];
  private final long[] sampleMessages = new long[SAMPLES];
  private int samples;

  private boolean started;
  private long firstNanos;
  private long lastNanos;
  private boolean answered;
  private boolean ended;
  private long messages;
  private long rejected;

  // What was shown before a replay began: nothing shown ever goes down.
  private long shownMessages;
  private long shownRejected;

  private long committed;
  private long retried;
  private long deadLettered;
  private long filtered;
  private long bytesIn;
  private long bytesOut;

  /** A picture in which all numbers belong together. */
  record Snapshot(
      long messages,
      long committed,
      long rejected,
      long retried,
      long deadLettered,
      long filtered,
      long bytesIn,
      long bytesOut,
      long elapsedNanos,
      double messagesPerSecond) {}

  /** The first read begins; later calls change nothing. */
  synchronized void firstRead(long nanos) {
    if (!started) {
      started = true;
      firstNanos = nanos;
      lastNanos = nanos;
      sample(nanos);
    }
  }

  synchronized void read(long bytes) {
    bytesIn += bytes;
  }

  synchronized void rejected(long rows) {
    rejected += rows;
  }

  /** Rows are sent again. */
  synchronized void retried(long rows) {
    retried += rows;
  }

  synchronized void deadLettered(long rows) {
    deadLettered += rows;
  }

  /** Rows that were read and are not wanted. */
  synchronized void filtered(long rows) {
    filtered += rows;
  }

  /** What came after so many rows is read and written once more. */
  synchronized void replayAfter(long rows, long rejectedRows) {
    shownMessages = Math.max(messages, shownMessages);
    shownRejected = Math.max(rejected, shownRejected);
    retried += Math.max(0, messages - rows);
    messages = rows;
    rejected = rejectedRows;
  }

  /** The rows that were answered, and those that were refused, since the last replay began. */
  synchronized long[] passed() {
    return new long[] {messages, rejected};
  }

  synchronized void committed(long rows) {
    committed = Math.max(committed, rows);
  }

  /** The sink has answered a write. */
  synchronized void answered(long rows, long bytes, long nanos) {
    messages += rows;
    bytesOut += bytes;
    answered = true;
    lastNanos = nanos;
    if (nanos - sampleNanos[(samples - 1) % SAMPLES] >= SAMPLE_NANOS) {
      sample(nanos);
    }
  }

  /** The run is over: the elapsed time stands still from here on. */
  synchronized void end(long nanos) {
    ended = true;
    if (started && !answered) {
      lastNanos = nanos;
    }
  }

  private void sample(long nanos) {
    sampleNanos[samples % SAMPLES] = nanos;
    sampleMessages[samples % SAMPLES] = messages;
    samples++;
  }

  synchronized Snapshot snapshot(long nanos) {
    long until = answered || ended ? lastNanos : nanos;
    return new Snapshot(
        Math.max(messages, shownMessages),
        committed,
        Math.max(rejected, shownRejected),
        retried,
        deadLettered,
        filtered,
        bytesIn,
        bytesOut,
        started ? until - firstNanos : 0,
        ended || !started ? 0 : rate(nanos));
  }

  private double rate(long nanos) {
    int oldest = samples - 1;
    while (oldest > 0
        && oldest > samples - SAMPLES
        && nanos - sampleNanos[(oldest - 1) % SAMPLES] <= WINDOW_NANOS) {
      oldest--;
    }
    long span = nanos - sampleNanos[oldest % SAMPLES];
    return span <= 0 ? 0 : (messages - sampleMessages[oldest % SAMPLES]) * 1e9 / span;
  }
}
