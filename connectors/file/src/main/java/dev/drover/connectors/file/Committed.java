package dev.drover.connectors.file;

import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.spi.Split;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a sidecar tells of a file.
 *
 * @param extent what is committed of it
 * @param replaced of a finished part: whether its final name was another file's before
 * @param number of a numbered file: its number, all lower ones being complete; else 0
 */
record Committed(
    Checkpoint checkpoint, Kind kind, State state, Extent extent, boolean replaced, int number) {

  /** About a file whose name has no number. */
  Committed(Checkpoint checkpoint, Kind kind, State state, Extent extent, boolean replaced) {
    this(checkpoint, kind, state, extent, replaced, 0);
  }

  /** Which file it is about, and what it keeps. */
  enum Kind {
    /** {@code NAME.part}, with the progress. */
    PART,
    /** The file itself, with the progress. */
    FILE,
    /** A numbered part, with the progress. */
    NUMBERED,
    /** The file itself as it was at the start; the progress is somewhere else. */
    START
  }

  /** What may have happened to the file after the commit. */
  enum State {
    /** Rows may follow that are not committed. */
    OPEN,
    /** Nothing: the run has let go of it. */
    LEFT,
    /** It is complete, and may have its final name. */
    FINISHED
  }

  static Committed parse(String text, Path where) {
    Checkpoint checkpoint = Checkpoint.parse(text, where.toString());
    Map<String, String> facts = checkpoint.attributes();
    try {
      return new Committed(
          checkpoint,
          Kind.valueOf(fact(facts, "kind").toUpperCase(Locale.ROOT)),
          State.valueOf(fact(facts, "state").toUpperCase(Locale.ROOT)),
          new Extent(
              Long.parseLong(fact(facts, "length")), fact(facts, "head"), fact(facts, "tail")),
          Boolean.parseBoolean(fact(facts, "replaced")),
          Integer.parseInt(facts.getOrDefault("number", "0")));
    } catch (IllegalArgumentException e) {
      throw new DroverException(
          new Problem(
              ErrorCode.CHECKPOINT_BROKEN,
              "",
              "the checkpoint %s cannot be used: it is not one of a file".formatted(where),
              "remove it with 'drover checkpoint reset', then start anew"),
          e);
    }
  }

  private static String fact(Map<String, String> facts, String key) {
    String value = facts.get(key);
    if (value == null) {
      throw new IllegalArgumentException(key);
    }
    return value;
  }

  String text() {
    Map<String, String> facts = new HashMap<>();
    facts.put("kind", kind.name().toLowerCase(Locale.ROOT));
    facts.put("state", state.name().toLowerCase(Locale.ROOT));
    facts.put("length", Long.toString(extent.length()));
    facts.put("head", extent.head());
    facts.put("tail", extent.tail());
    facts.put("replaced", Boolean.toString(replaced));
    if (number > 0) {
      facts.put("number", Integer.toString(number));
    }
    return checkpoint.with(checkpoint.splits(), facts).text();
  }

  /** The same with splits that have come further. */
  Committed with(Map<Split, String> further, Extent now) {
    Map<Split, String> splits = new HashMap<>(checkpoint.splits());
    splits.putAll(further);
    return new Committed(
        checkpoint.with(splits, Map.of()), kind, State.OPEN, now, replaced, number);
  }

  /** The same for a writer that takes it over. */
  Committed takenOver() {
    Checkpoint next =
        new Checkpoint(
            checkpoint.id(),
            checkpoint.source(),
            checkpoint.epoch() + 1,
            checkpoint.splits(),
            Map.of());
    return new Committed(next, kind, state, extent, replaced, number);
  }

  Committed with(State other) {
    return new Committed(checkpoint, kind, other, extent, replaced, number);
  }

  Committed finished(boolean replacing) {
    return new Committed(checkpoint, kind, State.FINISHED, extent, replacing, number);
  }

  /** The same about another of numbered files. */
  Committed with(int other, Extent now) {
    return new Committed(checkpoint, kind, State.OPEN, now, replaced, other);
  }
}
