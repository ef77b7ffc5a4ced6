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
 */
final class AckedPrefix {

  /** A chunk on its way to the sink. */
  static final class Entry {
    private final Split split;
    private final Offset end;
    private final long rows;
    private boolean answered;

    private Entry(Split split, Offset end, long rows) {
      this.split = split;
      this.end = end;
      this.rows = rows;
    }
  }

  private final Map<Split, Deque<Entry>> pending = new LinkedHashMap<>();
  private final Map<Split, Offset> prefix = new LinkedHashMap<>();
  private long rows;

  /** The next chunk of a split; called in the order of the split. */
  Entry add(Split split, Offset end, long rowsOfChunk) {
    Entry entry = new Entry(split, end, rowsOfChunk);
    pending.computeIfAbsent(split, key -> new ArrayDeque<>()).addLast(entry);
    return entry;
  }

  /** The sink has answered all rows of the chunk, or it had none; in any order, once a chunk. */
  void answered(Entry entry) {
    if (entry.answered) {
      throw new IllegalStateException("answered twice");
    }
    entry.answered = true;
    Deque<Entry> queue = pending.getOrDefault(entry.split, new ArrayDeque<>());
    Entry head;
    while ((head = queue.peekFirst()) != null && head.answered) {
      queue.removeFirst();
      prefix.put(head.split, head.end);
      rows += head.rows;
    }
  }

  /** Per split the offset before which everything is answered; splits without one are missing. */
  Map<Split, Offset> offsets() {
    return Map.copyOf(prefix);
  }

  /** The rows that the offsets cover. */
  long rows() {
    return rows;
  }
}
