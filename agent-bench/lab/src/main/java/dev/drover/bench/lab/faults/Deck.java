package dev.drover.bench.lab.faults;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Deals kill plans: a third at named points, all of them in turn; a few before the first read and
 * after the last commit; the rest at random instants. The same seed gives the same plans.
 */
final class Deck {

  /** One card of so many is a kill before the first read. */
  private static final int EARLY_EVERY = 32;

  private static final int EARLY_CARD = 27;

  /** One card of so many is a pair of kills after the last commit, where there is such a point. */
  private static final int END_EVERY = 12;

  private static final int END_CARD = 10;

  /** Of a kill before the first read: a process takes about twice as long to begin to read. */
  private static final int EARLIEST_MS = 20;

  private static final int LATEST_START_MS = 250;
  private static final int LATEST_MS = 500;

  /** The first time may be a run's beginning, when a checkpoint is taken over. */
  private static final int FIRST_OCCURRENCE = 2;

  private static final int LAST_OCCURRENCE = 7;

  private final SplittableRandom random;
  private final Deque<KillPlan> next = new ArrayDeque<>();
  private int card;
  private int point;
  private int endPoint;
  private boolean endDue;

  Deck(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The next plan for a target with these points. */
  KillPlan draw(List<String> commitPoints, List<String> endPoints) {
    KillPlan waiting = next.poll();
    if (waiting != null) {
      return waiting;
    }
    int drawn = card++;
    endDue |= drawn % END_EVERY == END_CARD;
    if (endDue && !endPoints.isEmpty()) {
      endDue = false;
      // Who goes on after that is killed too, before it has done anything.
      next.add(new KillPlan.AtPoint("rows opened", 1, true));
      return new KillPlan.AtPoint(endPoints.get(endPoint++ % endPoints.size()), 1, true);
    }
    if (drawn % EARLY_EVERY == EARLY_CARD) {
      return new KillPlan.AfterStart(random.nextInt(EARLIEST_MS, LATEST_START_MS));
    }
    if (drawn % 3 == 1) {
      return new KillPlan.AtPoint(
          commitPoints.get(point++ % commitPoints.size()),
          random.nextInt(FIRST_OCCURRENCE, LAST_OCCURRENCE),
          false);
    }
    return new KillPlan.AfterReading(random.nextInt(LATEST_MS));
  }

  /** Whether the next plan is for the start that follows the kill of the last one. */
  boolean isPaired() {
    return !next.isEmpty();
  }

  /** A number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return random.nextInt(bound);
  }
}
