package dev.drover.mcp;

import dev.drover.mcp.JsonReader.JsonException;
import dev.drover.runtime.Engine;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.runtime.StateFolder;
import dev.drover.spi.DroverException;
import dev.drover.spi.Problem;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server remembers beyond its end, in the state folder: the runs that are going on, one file
 * each, and the runs that have ended. Servers may share the folder: each holds a lock while it
 * lives, so that the next one can tell whose runs were cut off. Thread-safe.
 *
 * <p>A folder that cannot be written costs the memory, not the run; a route that is to be durable
 * is refused then.
 */
final class Journal implements AutoCloseable {

  private static final String HISTORY = "runs.jsonl";

  /** When the history is cut to its size. */
  private static final long MAX_HISTORY_BYTES = 256 << 10;

  /**
   * A route that was started and may have to be started again.
   *
   * @param arguments those of the call of {@code start_route}; empty if they hold a secret
   */
  record Started(String name, Map<String, @Nullable Object> arguments, boolean durable) {}

  private record Going(Path file, boolean durable) {}

  private final @Nullable StateFolder state;
  private final String server = UUID.randomUUID().toString();
  private final Map<Run, Going> going = new HashMap<>();

  /** Runs whose start is yet to be told. */
  private final Set<Run> endedEarly = new HashSet<>();

  // Immutable, and replaced as a whole: who asks for them must not wait while a file is written.
  private volatile List<Map<?, ?>> earlier = List.of();
  private volatile List<Map<?, ?>> interrupted = List.of();

  private final List<Started> cutOff = new ArrayList<>();
  private @Nullable FileLock alive;
  private int counter;
  private boolean closing;

  private Journal(@Nullable StateFolder state) {
    this.state = state;
  }

  /** Remembers nothing. */
  static Journal none() {
    return new Journal(null);
  }

  /** Reads what earlier servers have left; what was cut off is told by {@link #durable}. */
  static Journal open(StateFolder state) {
    Journal journal = new Journal(state);
    try {
      journal.alive = state.lock("server-" + journal.server);
      journal.takeOver();
      journal.know(journal.history());
      return journal;
    } catch (DroverException | IOException e) {
      log().warn("earlier runs are not known, and these will not be: {}", e.getMessage());
      journal.close();
      return none();
    }
  }

  /** Whether runs are remembered. */
  boolean remembers() {
    return state != null;
  }

  /** The durable routes of servers that are gone; to be started by this one. */
  List<Started> durable() {
    return List.copyOf(cutOff);
  }

  /** The ended runs of earlier servers, oldest first, as {@code route_status} showed them. */
  List<Map<?, ?>> earlier() {
    return earlier;
  }

  /** Those of {@link #earlier} that were cut off. */
  List<Map<?, ?>> interrupted() {
    return interrupted;
  }

  private void know(List<Map<?, ?>> ended) {
    List<Map<?, ?>> cut = new ArrayList<>();
    for (Map<?, ?> run : ended) {
      if ("interrupted".equals(run.get("state"))) {
        cut.add(run);
      }
    }
    earlier = List.copyOf(ended);
    interrupted = List.copyOf(cut);
  }

  /** The latest ended run of this name of an earlier server; null if there is none. */
  @Nullable Map<?, ?> find(String name) {
    for (Map<?, ?> run : earlier.reversed()) {
      if (name.equals(run.get("name"))) {
        return run;
      }
    }
    return null;
  }

  /** A run goes on; before its client is answered. */
  synchronized void started(Run run, Started route) {
    StateFolder folder = state;
    if (folder == null
        || endedEarly.remove(run)
        || run.status().finished()
        || going.containsKey(run)) {
      return;
    }
    try {
      Path file = write(folder, route, !run.status().checkpointId().isEmpty());
      going.put(run, new Going(file, route.durable()));
    } catch (IOException e) {
      log().warn("route {} would not be known after a crash: {}", run.name(), e.getMessage());
    }
  }

  /**
   * A durable route could not be started.
   *
   * @param again whether the next server should try
   */
  synchronized void notStarted(Started route, List<Problem> problems, boolean again) {
    StateFolder folder = state;
    if (folder == null) {
      return;
    }
    try {
      if (again) {
        write(folder, route, true);
      }
      String document = failed(route, problems);
      append(document);
      List<Map<?, ?>> ended = new ArrayList<>(earlier);
      ended.add(read(document));
      know(ended);
    } catch (IOException e) {
      log().warn("route {} could not be started, nor written down", route.name(), e);
    }
  }

  private Path write(StateFolder folder, Started route, boolean checkpoint) throws IOException {
    counter++;
    Path file = folder.folder("routes").resolve(server + "." + counter + ".json");
    JsonWriter json = new JsonWriter().beginObject();
    json.field("name", route.name()).field("durable", route.durable());
    json.field("checkpoint", checkpoint);
    json.key("arguments").any(route.arguments()).endObject();
    Files.writeString(file, json.toString());
    return file;
  }

  /** A run has ended; once each, perhaps before {@link #started} was called. */
  synchronized void ended(Run run, RunStatus status) {
    if (state == null) {
      return;
    }
    Going was = going.remove(run);
    if (was == null) {
      endedEarly.add(run);
    }
    try {
      if (closing && was != null && was.durable() && status.state() == RunState.STOPPED) {
        return;
      }
      if (was != null) {
        Files.deleteIfExists(was.file());
      }
      append(document(status));
    } catch (IOException | DroverException e) {
      log().warn("the end of route {} was not written down: {}", run.name(), e.getMessage());
    }
  }

  /** The server ends: durable routes that stop from now on are for the next one. */
  synchronized void closing() {
    closing = true;
  }

  @Override
  public void close() {
    FileLock lock = alive;
    alive = null;
    if (lock != null) {
      StateFolder.unlock(lock);
      deleteLock(server);
    }
  }

  private void deleteLock(String id) {
    if (state != null) {
      try {
        Files.deleteIfExists(state.folder("locks").resolve("server-" + id + ".lock"));
      } catch (IOException e) {
        // An empty file stays; nobody will have its name again.
      }
    }
  }

  /** Makes the runs of dead servers ended ones, or this server's own if they are durable. */
  private void takeOver() throws IOException {
    StateFolder folder = state;
    if (folder == null) {
      return;
    }
    Map<String, List<Path>> byServer = new LinkedHashMap<>();
    try (Stream<Path> routes = Files.list(folder.folder("routes"))) {
      routes
          .sorted()
          .forEach(
              file -> {
                String name = file.getFileName().toString();
                int dot = name.indexOf('.');
                if (dot > 0) {
                  byServer
                      .computeIfAbsent(name.substring(0, dot), key -> new ArrayList<>())
                      .add(file);
                }
              });
    }
    for (Map.Entry<String, List<Path>> dead : byServer.entrySet()) {
      FileLock lock = folder.lock("server-" + dead.getKey());
      if (lock == null) {
        continue;
      }
      try {
        for (Path file : dead.getValue()) {
          takeOver(file);
        }
      } finally {
        StateFolder.unlock(lock);
        deleteLock(dead.getKey());
      }
    }
  }

  private void takeOver(Path file) throws IOException {
    Map<String, @Nullable Object> route;
    try {
      route = read(Files.readString(file));
    } catch (NoSuchFileException e) {
      // Another server was faster.
      return;
    }
    String name = String.valueOf(route.get("name"));
    Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
    if (route.get("arguments") instanceof Map<?, ?> given && !given.isEmpty()) {
      given.forEach((key, value) -> arguments.put(String.valueOf(key), value));
      arguments.put("name", name);
    }
    if (Boolean.TRUE.equals(route.get("durable"))) {
      cutOff.add(new Started(name, arguments, true));
    } else {
      append(interrupted(name, arguments, Boolean.TRUE.equals(route.get("checkpoint"))));
    }
    Files.deleteIfExists(file);
  }

  private static String interrupted(
      String name, Map<String, @Nullable Object> arguments, boolean checkpoint) {
    JsonWriter json = new JsonWriter().beginObject();
    json.field("name", name).field("state", "interrupted").field("finished", true);
    json.field("outcome", "interrupted");
    json.field(
        "note",
        checkpoint
            ? "the server ended while it ran; start_route with resume_with goes on after the rows"
                + " that were committed"
            : "the server ended while it ran; start_route with resume_with does all of it again");
    if (!arguments.isEmpty()) {
      json.key("resume_with").any(arguments);
    }
    return json.field("ended_at", Instant.now().toString()).endObject().toString();
  }

  private static String failed(Started route, List<Problem> problems) {
    JsonWriter json = new JsonWriter().beginObject();
    json.field("name", route.name()).field("state", "failed").field("finished", true);
    json.field("outcome", "failed");
    json.field("note", "the route is durable, but this server could not start it");
    json.key("error").beginObject();
    json.field("code", problems.getFirst().code().wire());
    json.field("message", problems.getFirst().message()).endObject();
    json.key("resume_with").any(route.arguments());
    return json.field("ended_at", Instant.now().toString()).endObject().toString();
  }

  private static String document(RunStatus status) {
    JsonWriter json = new JsonWriter();
    StatusJson.write(json, status);
    String text = json.toString();
    return text.substring(0, text.length() - 1)
        + ",\"ended_at\":\""
        + Instant.now().toString()
        + "\"}";
  }

  private List<Map<?, ?>> history() throws IOException {
    List<Map<?, ?>> runs = new ArrayList<>();
    for (String line : lines()) {
      Map<String, @Nullable Object> run = read(line);
      if (!run.isEmpty()) {
        runs.add(run);
      }
    }
    return runs.subList(Math.max(0, runs.size() - Engine.HISTORY), runs.size());
  }

  private List<String> lines() throws IOException {
    if (state == null) {
      return List.of();
    }
    try {
      return Files.readAllLines(state.folder("history").resolve(HISTORY));
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private void append(String document) throws IOException {
    StateFolder folder = state;
    if (folder == null) {
      return;
    }
    Path file = folder.folder("history").resolve(HISTORY);
    Files.writeString(file, document + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (Files.size(file) > MAX_HISTORY_BYTES) {
      cut(folder, file);
    }
  }

  /** Leaves it to others who are at it; a line that one of them adds meanwhile may be lost. */
  private void cut(StateFolder folder, Path file) throws IOException {
    FileLock lock = folder.lock("history");
    if (lock == null) {
      return;
    }
    try {
      List<String> lines = lines();
      List<String> kept = lines.subList(Math.max(0, lines.size() - Engine.HISTORY), lines.size());
      StateFolder.write(file, String.join("\n", kept) + "\n");
    } finally {
      StateFolder.unlock(lock);
    }
  }

  /** Empty if it is no object: half a line after a crash, say. */
  private static Map<String, @Nullable Object> read(String json) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    try {
      if (JsonReader.read(json) instanceof Map<?, ?> map) {
        map.forEach((key, value) -> object.put(String.valueOf(key), value));
      }
    } catch (JsonException e) {
      log().warn("a line of the journal cannot be read and is left out");
    }
    return object;
  }

  /** Made when there is something to say, for it takes time to start. */
  private static Logger log() {
    return LoggerFactory.getLogger(Journal.class);
  }
}
