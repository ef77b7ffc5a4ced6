package dev.drover.bench.lab.faults;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A book of a ledger in this process.
 *
 * @param keepsCheckpoint the ledger applies rows and checkpoint together; else it takes rows as
 *     they come, and the checkpoint is in the state folder
 */
record LedgerTarget(Ledger ledger, boolean keepsCheckpoint) implements Target {

  private LedgerBook book(Path folder) {
    return ledger.book(folder.toString());
  }

  @Override
  public Map<String, ?> endpoint(Path folder) {
    return Map.of(
        "ledger",
        Map.of(
            "port", ledger.port(), "book", folder.toString(), "keeps_checkpoint", keepsCheckpoint));
  }

  @Override
  public long length(Path folder) {
    return book(folder).length();
  }

  @Override
  public boolean complete(Path folder) {
    return book(folder).finished();
  }

  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public byte[] rows(Path folder) {
    return book(folder).rows();
  }

  @Override
  public void disturb(Path folder, int afterRequests) {
    book(folder).dropAfter(afterRequests);
  }

  @Override
  public int disturbed(Path folder) {
    return book(folder).dropped();
  }

  @Override
  public List<String> commitPoints() {
    return keepsCheckpoint
        ? List.of(
            "rows half sent", "rows sent", "commit half sent", "commit sent", "commit answered")
        : List.of(
            "rows half sent",
            "rows sent",
            "rows answered",
            "checkpoint half written",
            "checkpoint forced",
            "checkpoint before its rename",
            "checkpoint renamed");
  }
}
