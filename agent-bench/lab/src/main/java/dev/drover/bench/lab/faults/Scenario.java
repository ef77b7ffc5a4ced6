package dev.drover.bench.lab.faults;

import dev.drover.spi.Guarantee;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A kind of route that is killed.
 *
 * @param title in words, for tables
 * @param guarantee what it promises, and is made to promise
 */
record Scenario(String title, Feed feed, Target target, Guarantee guarantee) {

  /** So many commits and chunks that each kill falls between others. */
  private static final int COMMIT_INTERVAL_MS = 15;

  private static final int BATCH_ROWS = 50;
  private static final int BATCH_BYTES = 4096;

  /** All there are. */
  static List<Scenario> all(Ledger ledger) {
    Guarantee exactly = Guarantee.EXACTLY_ONCE;
    Guarantee atLeast = Guarantee.AT_LEAST_ONCE;
    return List.of(
        new Scenario("CSV to a new file", Feed.CSV, new FileTarget(false, true, true), exactly),
        new Scenario(
            "`static` to a new file", Feed.STATIC, new FileTarget(false, true, false), exactly),
        new Scenario(
            "followed CSV to a growing file",
            Feed.GROWING_CSV,
            new FileTarget(true, true, false),
            exactly),
        new Scenario(
            "followed CSV to a growing file",
            Feed.GROWING_CSV,
            new FileTarget(true, false, false),
            atLeast),
        new Scenario(
            "CSV to a new zstd file",
            Feed.CSV,
            new FileTarget("out.jsonl.zst", false, true, false),
            exactly),
        new Scenario(
            "many CSV files to a new file",
            Feed.MANY_CSV,
            new FileTarget(false, true, false),
            exactly),
        new Scenario("CSV to numbered files", Feed.CSV, new NumberedTarget(1000), exactly),
        new Scenario("CSV to the ledger", Feed.CSV, new LedgerTarget(ledger, true), exactly),
        new Scenario(
            "`static` to the ledger", Feed.STATIC, new LedgerTarget(ledger, true), exactly),
        new Scenario("CSV to the ledger", Feed.CSV, new LedgerTarget(ledger, false), atLeast),
        new Scenario(
            "`static` to the ledger", Feed.STATIC, new LedgerTarget(ledger, false), atLeast));
  }

  boolean exactlyOnce() {
    return guarantee == Guarantee.EXACTLY_ONCE;
  }

  /** Title and guarantee, which tell it from the others. */
  String id() {
    return title + ", " + guaranteeText();
  }

  String guaranteeText() {
    return guarantee.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The route, as JSON has it.
   *
   * @param folder of the round
   * @param rowsPerSecond 0: as fast as it goes
   */
  Map<String, ?> route(Path folder, int rows, int rowsPerSecond) {
    Map<String, Object> route = new LinkedHashMap<>();
    route.put("input", feed.endpoint(folder, rows));
    route.put("output", target.endpoint(folder));
    if (feed.ends()) {
      route.put("resume", true);
    } else {
      route.put("exit_on_empty", false);
    }
    route.put("delivery", guaranteeText());
    route.put("commit_interval_ms", COMMIT_INTERVAL_MS);
    route.put("max_batch_rows", BATCH_ROWS);
    route.put("max_batch_bytes", BATCH_BYTES);
    route.put("limit_rows_per_second", rowsPerSecond);
    route.put("retry", Map.of("initial_backoff_ms", 5));
    return route;
  }
}
