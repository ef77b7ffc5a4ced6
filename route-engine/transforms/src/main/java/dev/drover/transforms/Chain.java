package dev.drover.transforms;

import dev.drover.spi.Batch;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The transforms of a route, applied in order. One for each worker, used by its thread only. */
public final class Chain {

  /** Takes rows that a transform refuses. */
  @FunctionalInterface
  public interface Refusals {
    /**
     * @param row the row of the batch that was given to {@link Chain#apply}
     */
    void refuse(Batch batch, int row, ErrorCode code, String message);
  }

  /** Steps are made anew when more schemas than this have come: each is cheap to make. */
  private static final int MAX_SCHEMAS = 256;

  private final List<Transform> transforms;
  private final List<Map<Schema, Step>> steps = new ArrayList<>();
  private final Rows rows;

  private @Nullable Batch entered;

  /**
   * @param refusals called within {@link #apply}; may throw to end it
   */
  public Chain(List<Transform> transforms, Refusals refusals) {
    this.transforms = List.copyOf(transforms);
    for (int i = 0; i < transforms.size(); i++) {
      steps.add(new HashMap<>());
    }
    rows =
        new Rows(
            (row, code, message) -> {
              if (entered != null) {
                refusals.refuse(entered, row, code, message);
              }
            });
  }

  /**
   * Applies all transforms.
   *
   * @param place where the rows come from
   * @return what comes out, maybe no row; valid until the next call and as long as {@code batch} is
   * @throws dev.drover.spi.DroverException if a transform cannot be applied to such rows
   */
  public Batch apply(Batch batch, Place place) {
    Batch current = batch;
    entered = batch;
    rows.begin(batch.arena(), place);
    for (int i = 0; i < transforms.size(); i++) {
      Map<Schema, Step> known = steps.get(i);
      Step step = known.get(current.schema());
      if (step == null) {
        if (known.size() == MAX_SCHEMAS) {
          known.clear();
        }
        step = transforms.get(i).step(current.schema());
        known.put(current.schema(), step);
      }
      current = step.apply(current, rows);
      rows.stepDone();
    }
    entered = null;
    return current;
  }

  /** How many rows filters have left out since the last call. */
  public long takeFiltered() {
    return rows.takeFiltered();
  }
}
