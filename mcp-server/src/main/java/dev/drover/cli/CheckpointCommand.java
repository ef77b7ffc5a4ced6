package dev.drover.cli;

import dev.drover.runtime.CheckpointStore;
import dev.drover.runtime.StateFolder;
import dev.drover.runtime.StoredSplit;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code drover checkpoint}: looks at checkpoints and changes them. They are in the state folder,
 * by id, or beside the file that a route writes.
 */
final class CheckpointCommand {

  /** What the file sink adds to the name of its file. */
  private static final String BESIDE = ".drover";

  private final StateFolder state;
  private final Streams streams;

  private CheckpointCommand(StateFolder state, Streams streams) {
    this.state = state;
    this.streams = streams;
  }

  /** Returns the exit code. */
  static int run(List<String> words, Streams streams) throws UsageException {
    if (words.isEmpty() || Help.isWanted(words)) {
      (words.isEmpty() ? streams.err() : streams.out()).print(Help.checkpoint());
      return words.isEmpty() ? ExitCode.USAGE : ExitCode.DONE;
    }
    List<String> rest = words.subList(1, words.size());
    CheckpointCommand command = new CheckpointCommand(StateFolder.of(System.getenv()), streams);
    try {
      return switch (words.getFirst()) {
        case "show" -> command.show(rest);
        case "reset" -> command.reset(rest);
        case "set" -> command.set(rest);
        default ->
            throw new UsageException(
                "there is no 'checkpoint %s'; there are show, reset and set"
                    .formatted(words.getFirst()));
      };
    } catch (DroverException e) {
      streams.err().println("drover: " + e.getMessage());
      String suggestion = e.problem().suggestion();
      if (suggestion != null) {
        streams.err().println("  " + suggestion);
      }
      return ExitCode.FAILED;
    }
  }

  private int show(List<String> words) throws UsageException {
    if (words.size() > 1) {
      throw new UsageException("checkpoint show takes one ID or FILE, or nothing for all");
    }
    if (words.isEmpty()) {
      for (String id : state.ids()) {
        Checkpoint checkpoint = state.load(id);
        if (checkpoint != null) {
          print(checkpoint);
        }
      }
      return ExitCode.DONE;
    }
    Place place = place(words.getFirst());
    if (place == null) {
      return missing(words.getFirst());
    }
    print(place.checkpoint());
    return ExitCode.DONE;
  }

  private void print(Checkpoint checkpoint) {
    streams.out().println(checkpoint.id());
    streams.out().println("  source " + checkpoint.source());
    checkpoint.splits().entrySet().stream()
        .sorted((a, b) -> a.getKey().id().compareTo(b.getKey().id()))
        .forEach(
            split -> {
              StoredSplit stored = StoredSplit.parse(split.getValue());
              streams
                  .out()
                  .println(
                      "  %s: offset %s, %s records"
                          .formatted(
                              split.getKey().id(),
                              stored.offset(),
                              Figures.count(stored.records())));
            });
    if (checkpoint.splits().isEmpty()) {
      streams.out().println("  nothing committed yet");
    }
  }

  private int reset(List<String> words) throws UsageException {
    if (words.size() != 1) {
      throw new UsageException("checkpoint reset takes one ID or FILE");
    }
    Place place = find(words.getFirst());
    if (place == null) {
      return missing(words.getFirst());
    }
    if (place.file() == null) {
      try (CheckpointStore.Hold _ = state.hold(words.getFirst())) {
        state.remove(words.getFirst());
      }
    } else {
      try {
        Files.deleteIfExists(place.file());
      } catch (IOException e) {
        streams.err().println("drover: removing " + place.file() + " failed: " + e.getMessage());
        return ExitCode.FAILED;
      }
    }
    streams.out().println("removed; the next run begins at the start of the source");
    return ExitCode.DONE;
  }

  private int set(List<String> words) throws UsageException {
    if (words.size() != 2 && words.size() != 3) {
      throw new UsageException(
          "checkpoint set takes ID or FILE, SPLIT if there are several, OFFSET");
    }
    Place place = place(words.getFirst());
    if (place == null) {
      return missing(words.getFirst());
    }
    Map<Split, String> splits = new HashMap<>(place.checkpoint().splits());
    Split split = words.size() == 3 ? new Split(words.get(1)) : only(splits);
    if (split == null || !splits.containsKey(split)) {
      throw new UsageException(
          "name one of the splits: "
              + String.join(", ", splits.keySet().stream().map(Split::id).sorted().toList()));
    }
    StoredSplit before = StoredSplit.parse(splits.getOrDefault(split, ""));
    splits.put(split, before.at(words.getLast()).text());
    Checkpoint changed = place.checkpoint().with(splits, place.checkpoint().attributes());
    if (place.file() == null) {
      try (CheckpointStore.Hold _ = state.hold(changed.id())) {
        state.save(changed);
      }
    } else {
      StateFolder.write(place.file(), changed.text());
    }
    print(changed);
    return ExitCode.DONE;
  }

  private static @Nullable Split only(Map<Split, String> splits) {
    return splits.size() == 1 ? splits.keySet().iterator().next() : null;
  }

  private int missing(String name) {
    streams.err().println("drover: there is no checkpoint '" + name + "'");
    List<String> ids = state.ids();
    streams
        .err()
        .println(
            ids.isEmpty()
                ? "  give the file that a route writes, or an id; there are no ids yet"
                : "  ids: " + String.join(", ", ids));
    return ExitCode.FAILED;
  }

  /**
   * A checkpoint and where it is.
   *
   * @param file null: in the state folder
   */
  private record Place(Checkpoint checkpoint, @Nullable Path file) {}

  private @Nullable Place place(String name) {
    Path file = beside(name);
    if (file != null) {
      try {
        return new Place(Checkpoint.parse(Files.readString(file), file.toString()), file);
      } catch (IOException e) {
        return new Place(Checkpoint.parse("", file.toString()), file);
      }
    }
    Checkpoint stored = state.ids().contains(name) ? state.load(name) : null;
    return stored == null ? null : new Place(stored, null);
  }

  /** As {@link #place}, but one that cannot be read is found too. */
  private @Nullable Place find(String name) {
    Checkpoint unread = new Checkpoint(name, "", 0, Map.of(), Map.of());
    Path file = beside(name);
    if (file != null) {
      return new Place(unread, file);
    }
    return state.ids().contains(name) ? new Place(unread, null) : null;
  }

  private static @Nullable Path beside(String name) {
    try {
      Path given = Path.of(name);
      if (name.endsWith(BESIDE) && Files.isRegularFile(given)) {
        return given;
      }
      Path beside = Path.of(name + BESIDE);
      return Files.isRegularFile(beside) ? beside : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }
}
