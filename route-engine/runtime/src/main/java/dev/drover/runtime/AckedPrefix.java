package dev.drover.runtime;

import dev.drover.spi.Offset;
import dev.drover.spi.Split;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far each split may be committed: up to its first chunk that is not answered yet. Does no I/O;
 * the caller sees to it that one thread at a time is inside.
 *
 * <p>The rows of a chunk go to the sink in any number of writes, none included. A write that failed
 * stays open and holds its split back until it was sent again and answered.
 */
final class AckedPrefix {

  /**
   * A place in a split.
   *
   * @param records records before it
   * @param lines line ends before it
   */
  record Reached(Offset offset, long records, long lines) {}

  /** A chunk on its way to the sink. */
  static final class Entry {
    private final Split split;
    private final Reached end;
    private final long rows;

    /** Writes without an answer, and one more while others may follow. */
    private int open = 1;

    private boolean allSent;

    private Entry(Split split, Reached end, long rows) {
      this.split = split;
      this.end = end;
      this.rows = rows;
    }
  }

  private final Map<Split, Deque<Entry>> pending = new LinkedHashMap<>();
  private final Map<Split, Reached> prefix = new LinkedHashMap<>();
  private long rows;

  /**
   * @param from where the splits begin
   */
  AckedPrefix(Map<Split, Reached> from) {
    prefix.putAll(from);
  }

  /** The next chunk of a split; called in the order of the split. */
  Entry add(Split split, Reached end, long rowsOfChunk) {
    Entry entry = new Entry(split, end, rowsOfChunk);
    pending.computeIfAbsent(split, key -> new ArrayDeque<>()).addLast(entry);
    return entry;
  }

  /** Some rows of the chunk were handed to the sink. */
  void sent(Entry entry) {
    if (entry.allSent) {
      throw new IllegalStateException("sent after the last");
    }
    entry.open++;
  }

  /** All rows of the chunk were handed to the sink; true if there is nothing left to answer. */
  boolean allSent(Entry entry) {
    if (entry.allSent) {
      throw new IllegalStateException("sent twice");
    }
    entry.allSent = true;
    return close(entry);
  }

  /**
   * The sink has taken what was handed to it in one {@link #sent}; in any order. True if that was
   * the last of the chunk.
   */
  boolean answered(Entry entry) {
    return close(entry);
  }

  private boolean close(Entry entry) {
    if (entry.open == 0) {
      throw new IllegalStateException("answered twice");
    }
    entry.open--;
    Deque<Entry> queue = pending.getOrDefault(entry.split, new ArrayDeque<>());
    Entry head;
    while ((head = queue.peekFirst()) != null && head.open == 0) {
      queue.removeFirst();
      prefix.put(head.split, head.end);
      rows += head.rows;
    }
    return entry.open == 0;
  }

  /** Per split the place before which everything is answered; splits without one are missing. */
  Map<Split, Reached> reached() {
    return Map.copyOf(prefix);
  }

  /** The rows between the beginning and what is reached. */
  long rows() {
    return rows;
  }
}
