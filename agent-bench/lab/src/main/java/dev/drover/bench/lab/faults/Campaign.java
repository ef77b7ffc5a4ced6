package dev.drover.bench.lab.faults;

import dev.drover.bench.lab.faults.KillPlan.AtPoint;
import dev.drover.bench.lab.faults.KillPlan.Never;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Kills routes as a deck says, and sees what is left of them. */
final class Campaign {

  /** So that no route comes to its end between the kills of a round, as a rule. */
  private static final int ROWS = 15_000;

  private static final int ROWS_PER_SECOND = 15_000;

  /** A file that grows must not have been read to its end before the last kill of a round. */
  private static final int MOST_KILLS_OF_A_ROUND = 3;

  /** A plan that no round came to is a fault of the harness. */
  private static final int MOST_TRIES = 3;

  /** Of the requests of a start, about how many come before a connection is lost. */
  private static final int REQUESTS = 40;

  private final Path folder;
  private final Path woven;
  private final Deck deck;
  private final PrintWriter log;
  private final List<Kill> kills = new ArrayList<>();

  /**
   * @param folder for inputs and outputs; emptied after each round
   * @param log for progress
   */
  Campaign(Path folder, long seed, PrintWriter log) throws IOException {
    this.folder = folder;
    this.woven = folder.resolve("woven");
    Weaver.write(woven);
    this.deck = new Deck(seed);
    this.log = log;
  }

  /** Runs all scenarios, with so many kills together. */
  List<ScenarioResult> run(List<Scenario> scenarios, int total)
      throws IOException, InterruptedException {
    List<ScenarioResult> results = new ArrayList<>();
    int left = total;
    for (int i = 0; i < scenarios.size(); i++) {
      int share = Math.ceilDiv(left, scenarios.size() - i);
      left -= share;
      results.add(new Tally(scenarios.get(i)).run(share));
    }
    return results;
  }

  /** All kills so far. */
  List<Kill> kills() {
    return List.copyOf(kills);
  }

  /** The counting of one scenario. */
  private final class Tally {
    private final Scenario scenario;
    private final int before = kills.size();
    private int wanted;
    private @Nullable KillPlan pending;
    private int tries;
    private int restarts;
    private int rounds;
    private int dropped;
    private long rows;
    private long lost;
    private long doubled;
    private @Nullable String breach;

    Tally(Scenario scenario) {
      this.scenario = scenario;
    }

    private int done() {
      return kills.size() - before;
    }

    /** Brings a round to its end. */
    private void bring(Round round, int mostKills)
        throws IOException, InterruptedException, BreachException {
      int killed = 0;
      boolean goesOn = true;
      boolean another = false;
      while (goesOn) {
        KillPlan plan = another || (killed < mostKills && done() < wanted) ? next() : new Never();
        round.disturb(1 + deck.below(REQUESTS));
        boolean slow = !(plan instanceof Never) && !(plan instanceof AtPoint at && at.last());
        Kill kill = round.start(plan, slow ? ROWS_PER_SECOND : 0).kill();
        if (kill == null) {
          keep(plan);
          goesOn = false;
        } else {
          kills.add(kill);
          killed++;
          // What follows the end of a route is killed too.
          another = deck.isPaired();
          goesOn = !round.over();
        }
      }
      restarts += round.starts() - 1;
      compare(round);
    }

    private KillPlan next() {
      KillPlan kept = pending;
      if (kept != null) {
        pending = null;
        return kept;
      }
      tries = 0;
      return deck.draw(scenario.target().commitPoints(), scenario.target().endPoints());
    }

    /** The route has come to its end before the plan was carried out. */
    private void keep(KillPlan plan) throws BreachException {
      if (plan instanceof Never) {
        return;
      }
      pending = plan;
      tries++;
      if (tries >= MOST_TRIES) {
        throw new BreachException("not reached in %d rounds: %s".formatted(tries, plan));
      }
    }

    private void compare(Round round) throws IOException, BreachException {
      Comparison seen = round.compare();
      boolean kept = round.kept(seen);
      dropped += round.disturbed();
      rows += seen.rows();
      lost += seen.lost();
      doubled += seen.doubled();
      round.remove();
      if (!kept) {
        throw new BreachException(seen.toString());
      }
    }

    ScenarioResult run(int share) throws IOException, InterruptedException {
      wanted = share;
      try {
        if (scenario.target().repeatable()) {
          // What the killed ones are compared with must be what an undisturbed one makes.
          bring(new Round(scenario, woven, folder.resolve("undisturbed"), ROWS), 0);
          rows = 0;
        }
        while (done() < wanted) {
          Path place = folder.resolve("round" + kills.size() + "-" + rounds);
          bring(new Round(scenario, woven, place, ROWS), MOST_KILLS_OF_A_ROUND);
          rounds++;
        }
      } catch (BreachException e) {
        breach = e.getMessage();
      }
      List<Kill> ours = kills.subList(before, kills.size());
      ScenarioResult result =
          new ScenarioResult(
              scenario.title(),
              scenario.guaranteeText(),
              done(),
              restarts,
              rounds,
              rows,
              lost,
              doubled,
              dropped,
              (int) ours.stream().filter(Kill::inside).count(),
              (int) ours.stream().filter(Kill::atPoint).count(),
              breach);
      log.printf(
          Locale.ROOT,
          "  %s: %d kills, %s%n",
          scenario.id(),
          done(),
          breach == null ? "kept" : breach);
      log.flush();
      return result;
    }
  }
}
