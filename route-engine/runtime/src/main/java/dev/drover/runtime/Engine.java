package dev.drover.runtime;

import dev.drover.formats.Practice;
import dev.drover.runtime.Planner.Plan;
import dev.drover.spi.Access;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.transforms.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Starts runs and remembers them. One a process; every method may be called by any thread. */
public final class Engine implements AutoCloseable {

  /** How many ended runs stay readable. */
  public static final int HISTORY = 100;

  private final Connectors connectors;
  private final Access access;
  private final Settings settings;
  private final Planner planner;
  private final PooledBuffers buffers;
  private final Map<String, Run> runs = new LinkedHashMap<>();
  private final List<String> reserved = new ArrayList<>();
  private int counter;
  private boolean closed;

  /**
   * What an engine is given beside connectors and policy.
   *
   * @param checkpoints keeps the checkpoints that no sink keeps; null: nobody does
   * @param workspace tells routes of the same name apart; a folder as a rule
   * @param overwriteReleased whether memory is filled with rubbish when a connector gives it back,
   *     so that tests notice who still uses it
   * @param atEnd told of the last status of each run, before anybody else
   */
  public record Settings(
      @Nullable CheckpointStore checkpoints,
      String workspace,
      boolean overwriteReleased,
      BiConsumer<Run, RunStatus> atEnd) {

    /** Keeps nothing and tells nobody. */
    public static final Settings NONE = new Settings(null, "", false, (run, status) -> {});

    /** The same with a place for checkpoints. */
    public Settings withCheckpoints(CheckpointStore store, String named) {
      return new Settings(store, named, overwriteReleased, atEnd);
    }

    /** The same with memory that is overwritten. */
    public Settings overwriting() {
      return new Settings(checkpoints, workspace, true, atEnd);
    }

    /** The same with somebody who is told. */
    public Settings telling(BiConsumer<Run, RunStatus> listener) {
      return new Settings(checkpoints, workspace, overwriteReleased, listener);
    }
  }

  /**
   * An engine that keeps no checkpoints of its own.
   *
   * @param access decides what connectors may touch
   */
  public Engine(Connectors connectors, Access access) {
    this(connectors, access, Settings.NONE);
  }

  /**
   * @param access decides what connectors may touch
   */
  public Engine(Connectors connectors, Access access, Settings settings) {
    this.connectors = connectors;
    this.access = access;
    this.settings = settings;
    this.planner = new Planner(access, settings.checkpoints() != null, settings.workspace());
    this.buffers = new PooledBuffers(settings.overwriteReleased());
  }

  /**
   * Practises moving rows on the calling thread for so long, so that the first route of a server
   * finds compiled code. Touches nothing outside the process.
   */
  public void practise(Duration budget) {
    Practice.run(buffers, budget);
  }

  public Connectors connectors() {
    return connectors;
  }

  /**
   * Starts a run. Everything that can be told before a row moves is checked first; then the run
   * goes on by itself.
   *
   * @throws SpecException if the route cannot run, with all that is known to be wrong
   */
  public Run start(RouteSpec spec, IfExists ifExists) {
    String name = spec.name() == null ? null : spec.name().strip();
    if (name != null && !name.isEmpty()) {
      Run existing = existing(name, spec, ifExists);
      if (existing != null) {
        return existing;
      }
    }
    String reservedName = reserve(name);
    try {
      Run run =
          new Run(
              reservedName,
              planner.plan(spec),
              access,
              buffers,
              settings.checkpoints(),
              settings.atEnd());
      add(run);
      run.start();
      return run;
    } finally {
      synchronized (this) {
        reserved.remove(reservedName);
      }
    }
  }

  /**
   * Reads rows, as the transforms of the route leave them, and finds out their types; nothing is
   * written. Returns when all are read.
   *
   * @param rows how many to look at; 0: all
   * @throws SpecException if the route cannot run, with all that is known to be wrong
   */
  public Inspection inspect(RouteSpec spec, long rows) {
    Plan plan = planner.plan(spec);
    Profile profile = new Profile();
    Run run =
        new Run("inspect", plan, access, buffers, null, (ended, status) -> {})
            .looking(profile, plan.transforms(), rows);
    run.runHere();
    return new Inspection(run.status(), profile);
  }

  /**
   * What was found.
   *
   * @param status how the reading ended; if it failed, the profile is of the rows before
   */
  public record Inspection(RunStatus status, Profile profile) {}

  private @Nullable Run existing(String name, RouteSpec spec, IfExists ifExists) {
    Run run = find(name);
    if (run == null) {
      return null;
    }
    boolean goesOn = !run.status().finished();
    return switch (ifExists) {
      case ERROR -> null;
      case RETURN -> goesOn || sameRoute(run.spec(), spec) ? run : null;
      case REPLACE -> {
        if (goesOn) {
          stopNow(run);
        }
        yield null;
      }
    };
  }

  private static void stopNow(Run run) {
    try {
      run.stop(StopMode.NOW, run.stopTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean sameRoute(RouteSpec a, RouteSpec b) {
    return a.source().equals(b.source()) && a.sink().equals(b.sink());
  }

  private synchronized String reserve(@Nullable String wanted) {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
    String name = wanted;
    if (name == null || name.isEmpty()) {
      do {
        counter++;
        name = "route-" + counter;
      } while (runs.containsKey(name) || reserved.contains(name));
    }
    Run running = runs.get(name);
    if (reserved.contains(name) || (running != null && !running.status().finished())) {
      throw new SpecException(
          List.of(
              new Problem(
                  ErrorCode.ROUTE_EXISTS,
                  "/name",
                  "a route named '" + ConfigBinder.cut(name) + "' is running",
                  "stop it, choose another name, or set if_exists to return or replace")));
    }
    reserved.add(name);
    return name;
  }

  private synchronized void add(Run run) {
    runs.remove(run.name());
    runs.put(run.name(), run);
    long ended = runs.values().stream().filter(r -> r.status().finished()).count();
    Iterator<Run> oldest = runs.values().iterator();
    while (ended > HISTORY && oldest.hasNext()) {
      if (oldest.next().status().finished()) {
        oldest.remove();
        ended--;
      }
    }
  }

  /** The run of this name, the latest if there were several; null if none is known. */
  public synchronized @Nullable Run find(String name) {
    return runs.get(name);
  }

  /** Running and remembered runs, by start, oldest first. */
  public synchronized List<Run> runs() {
    return List.copyOf(runs.values());
  }

  /**
   * Ends what runs, each within its {@code stop_timeout_ms}: runs that end by themselves may do so,
   * others read no more; then what is left is dropped. Starts nothing any more.
   */
  @Override
  public void close() {
    List<Run> open = open();
    for (Run run : open) {
      if (run.plan().endless()) {
        run.askToStop();
      } else {
        run.commitSoon();
      }
    }
    await(open);
  }

  /**
   * As {@link #close}, but nothing is waited for that would end by itself: for the end of the
   * process.
   */
  public void stop() {
    List<Run> open = open();
    open.forEach(Run::askToStop);
    await(open);
  }

  private synchronized List<Run> open() {
    closed = true;
    return runs.values().stream().filter(run -> !run.status().finished()).toList();
  }

  private static void await(List<Run> open) {
    long start = System.nanoTime();
    try {
      for (Run run : open) {
        Duration spent = Duration.ofNanos(System.nanoTime() - start);
        if (!run.await(run.stopTimeout().minus(spent))) {
          run.stop(StopMode.NOW, Duration.ofSeconds(1));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
