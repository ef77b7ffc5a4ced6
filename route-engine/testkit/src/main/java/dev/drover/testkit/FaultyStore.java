package dev.drover.testkit;

import dev.drover.runtime.CheckpointStore;
import dev.drover.spi.Checkpoint;
import dev.drover.testkit.Faults.Kind;
import dev.drover.testkit.Faults.Point;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A checkpoint store that fails when told. */
public final class FaultyStore implements CheckpointStore {

  private final CheckpointStore inner;
  private final Faults faults;

  public FaultyStore(CheckpointStore inner, Faults faults) {
    this.inner = inner;
    this.faults = faults;
  }

  @Override
  public Hold hold(String id) {
    return inner.hold(id);
  }

  @Override
  public @Nullable Checkpoint load(String id) {
    return inner.load(id);
  }

  @Override
  public void save(Checkpoint checkpoint) {
    Kind kind = faults.next(Point.SAVE);
    Faults.before(kind);
    inner.save(checkpoint);
    Faults.after(kind);
  }

  @Override
  public boolean remove(String id) {
    return inner.remove(id);
  }

  @Override
  public List<String> ids() {
    return inner.ids();
  }
}
