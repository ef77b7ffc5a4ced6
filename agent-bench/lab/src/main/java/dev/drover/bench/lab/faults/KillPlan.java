package dev.drover.bench.lab.faults;

/** When a process is to be killed. */
sealed interface KillPlan {

  /** So long after it was started, and so most likely before it reads. */
  record AfterStart(int millis) implements KillPlan {}

  /** So long after it has begun to read. */
  record AfterReading(int millis) implements KillPlan {}

  /**
   * When it has come to a named point.
   *
   * @param occurrence how often, from 1
   * @param last the point comes after the last commit, so the route must get there
   */
  record AtPoint(String point, int occurrence, boolean last) implements KillPlan {}

  /** Not at all. */
  record Never() implements KillPlan {}
}
