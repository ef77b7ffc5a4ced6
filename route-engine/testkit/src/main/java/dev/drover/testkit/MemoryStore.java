package dev.drover.testkit;

import dev.drover.runtime.CheckpointStore;
import dev.drover.spi.Checkpoint;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Checkpoints in memory; in their text form, so that it is used. */
final class MemoryStore implements CheckpointStore {

  private final Map<String, String> texts = new ConcurrentSkipListMap<>();
  private final Set<String> held = ConcurrentHashMap.newKeySet();

  @Override
  public Hold hold(String id) {
    if (!held.add(id)) {
      throw new DroverException(ErrorCode.TARGET_BUSY, "the checkpoint " + id + " is held");
    }
    return () -> held.remove(id);
  }

  @Override
  public @Nullable Checkpoint load(String id) {
    String text = texts.get(id);
    return text == null ? null : Checkpoint.parse(text, id);
  }

  @Override
  public void save(Checkpoint checkpoint) {
    texts.put(checkpoint.id(), checkpoint.text());
  }

  @Override
  public boolean remove(String id) {
    return texts.remove(id) != null;
  }

  @Override
  public List<String> ids() {
    return List.copyOf(texts.keySet());
  }
}
