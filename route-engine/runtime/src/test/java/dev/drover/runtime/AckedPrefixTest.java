package dev.drover.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  private record Sent(AckedPrefix.Entry entry, Split split, int number) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2026, 1130})
  void neverPassesAnUnansweredChunk(long seed) {
    Random random = new Random(seed);
    AckedPrefix prefix = new AckedPrefix();
    List<Sent> open = new ArrayList<>();
    // The model: per split the answered flags in order; the prefix is what comes before the first
    // false.
    Map<Split, List<Boolean>> model = new HashMap<>();
    for (int step = 0; step < 2000; step++) {
      if (open.isEmpty() || random.nextInt(3) != 0) {
        Split split = new Split("s" + random.nextInt(4));
        List<Boolean> flags = model.computeIfAbsent(split, key -> new ArrayList<>());
        flags.add(false);
        AckedPrefix.Entry entry = prefix.add(split, new Place(flags.size()), 10);
        open.add(new Sent(entry, split, flags.size()));
      } else {
        Sent sent = open.remove(random.nextInt(open.size()));
        prefix.answered(sent.entry());
        model.getOrDefault(sent.split(), List.of()).set(sent.number() - 1, true);
      }
      Map<Split, Offset> expected = new HashMap<>();
      long rows = 0;
      for (Map.Entry<Split, List<Boolean>> split : model.entrySet()) {
        int first = split.getValue().indexOf(false);
        int length = first < 0 ? split.getValue().size() : first;
        if (length > 0) {
          expected.put(split.getKey(), new Place(length));
        }
        rows += 10L * length;
      }
      assertThat(prefix.offsets()).as("seed %d, step %d", seed, step).isEqualTo(expected);
      assertThat(prefix.rows()).isEqualTo(rows);
    }
  }

  @Test
  void refusesASecondAnswer() {
    AckedPrefix prefix = new AckedPrefix();
    AckedPrefix.Entry entry = prefix.add(new Split("s"), new Place(1), 1);
    prefix.answered(entry);
    assertThatThrownBy(() -> prefix.answered(entry)).isInstanceOf(IllegalStateException.class);
  }
}
