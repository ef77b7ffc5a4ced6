package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.runtime.AckedPrefix.Reached;
import dev.drover.spi.Offset;
import dev.drover.spi.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AckedPrefixTest {

  private record Place(int number) implements Offset {
    @Override
    public String text() {
      return Integer.toString(number);
    }

    @Override
    public int compareTo(Offset other) {
      return Integer.compare(number, ((Place) other).number);
    }
  }

  /** A chunk of the model: done when all is sent and nothing is open. */
  private static final class Chunk {
    private final AckedPrefix.Entry entry;
    private final Reached end;
    private final long rows;
    private int left;
    private int open;
    private boolean allSent;

    Chunk(AckedPrefix prefix, Split split, int number, int writes, long rows) {
      this.end = new Reached(new Place(number), 10L * number, 11L * number);
      this.entry = prefix.add(split, end, rows);
      this.rows = rows;
      this.left = writes;
    }

    boolean done() {
      return allSent && open == 0;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2026, 1130})
  void neverPassesWhatIsNotAnswered(long seed) {
    Random random = new Random(seed);
    Split resumedSplit = new Split("s1");
    Reached start = new Reached(new Place(-1), 5, 6);
    AckedPrefix prefix = new AckedPrefix(Map.of(resumedSplit, start));
    Map<Split, List<Chunk>> model = new HashMap<>();
    List<Chunk> busy = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      if (busy.isEmpty() || random.nextInt(4) == 0) {
        Split split = new Split("s" + random.nextInt(4));
        List<Chunk> chunks = model.computeIfAbsent(split, key -> new ArrayList<>());
        // No write at all: every row of the chunk was filtered out or refused.
        int writes = random.nextInt(4);
        Chunk chunk = new Chunk(prefix, split, chunks.size(), writes, random.nextInt(100));
        chunks.add(chunk);
        busy.add(chunk);
      } else {
        Chunk chunk = busy.get(random.nextInt(busy.size()));
        act(prefix, chunk, random.nextInt(3));
        if (chunk.done()) {
          busy.remove(chunk);
        }
      }
      Map<Split, Reached> expected = new HashMap<>(Map.of(resumedSplit, start));
      long rows = 0;
      for (Map.Entry<Split, List<Chunk>> split : model.entrySet()) {
        for (Chunk chunk : split.getValue()) {
          if (!chunk.done()) {
            break;
          }
          expected.put(split.getKey(), chunk.end);
          rows += chunk.rows;
        }
      }
      assertThat(prefix.reached()).as("seed %d, step %d", seed, step).isEqualTo(expected);
      assertThat(prefix.rows()).isEqualTo(rows);
    }
  }

  /** Sends, answers, or lets a write fail: then it stays open and is answered some other time. */
  private static void act(AckedPrefix prefix, Chunk chunk, int what) {
    if (what == 0 && chunk.left > 0) {
      prefix.sent(chunk.entry);
      chunk.left--;
      chunk.open++;
    } else if (what == 1 && chunk.open > 0) {
      chunk.open--;
      assertThat(prefix.answered(chunk.entry)).isEqualTo(chunk.done());
    } else if (what == 2 && chunk.left == 0 && !chunk.allSent) {
      chunk.allSent = true;
      assertThat(prefix.allSent(chunk.entry)).isEqualTo(chunk.done());
    }
  }

  @Test
  void refusesAnAnswerTooMany() {
    AckedPrefix prefix = new AckedPrefix(Map.of());
    AckedPrefix.Entry entry = prefix.add(new Split("s"), new Reached(new Place(1), 1, 1), 1);
    prefix.sent(entry);
    prefix.answered(entry);
    prefix.allSent(entry);
    assertThatThrownBy(() -> prefix.answered(entry)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> prefix.sent(entry)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> prefix.allSent(entry)).isInstanceOf(IllegalStateException.class);
  }
}
