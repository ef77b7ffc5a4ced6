package dev.drover.bench.lab.faults;

import dev.drover.formats.EncodedBytes;
import dev.drover.formats.Formats;
import dev.drover.spi.Destination;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Progress;
import dev.drover.spi.Schema;
import dev.drover.spi.SinkWriter;
import dev.drover.spi.Split;
import dev.drover.spi.WriterScope;
import dev.drover.spi.Written;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends each request and waits for its answer. Where the ledger keeps no checkpoint a connection
 * that was lost is replaced, as such a writer may be asked to do the same again; else it is not,
 * since what was sent through it is gone.
 */
final class LedgerWriter implements SinkWriter {

  private final LedgerConfig config;
  private final boolean keepsCheckpoint;
  private final WriterScope scope;
  private @Nullable LedgerConnection connection;
  private long epoch;

  LedgerWriter(LedgerConfig config, boolean keepsCheckpoint, WriterScope scope) {
    this.config = config;
    this.keepsCheckpoint = keepsCheckpoint;
    this.scope = scope;
  }

  @Override
  public Map<Split, String> restore() {
    if (!keepsCheckpoint) {
      return Map.of();
    }
    try {
      LedgerConnection.Claim claim =
          connection().claim(config.book(), scope.checkpointId(), scope.resume());
      epoch = claim.epoch();
      return claim.stored();
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private LedgerConnection connection() throws IOException {
    LedgerConnection open = connection;
    if (open == null) {
      open = LedgerConnection.open(config.port());
      connection = open;
    }
    return open;
  }

  private DroverException lost(IOException e) {
    if (!keepsCheckpoint) {
      abort();
    }
    return new DroverException(ErrorCode.IO_ERROR, "the ledger does not answer", e);
  }

  @Override
  public Encoder encoder(Schema schema) {
    return Formats.encoder("jsonl", schema, scope.buffers());
  }

  @Override
  public CompletionStage<Written> write(Encoded rows) {
    EncodedBytes bytes = (EncodedBytes) rows;
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(frame)) {
      out.writeByte(keepsCheckpoint ? Ledger.STAGE : Ledger.APPEND);
      out.writeUTF(config.book());
      out.writeInt(bytes.length());
      out.write(bytes.array(), 0, bytes.length());
      connection().ask(frame.toByteArray(), "rows");
      return CompletableFuture.completedStage(Written.ALL);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  @Override
  public void commit(Map<Split, Progress> upTo) {
    if (!keepsCheckpoint) {
      return;
    }
    Map<String, String> stored = new HashMap<>();
    upTo.forEach((split, progress) -> stored.put(split.id(), progress.stored()));
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(frame)) {
      out.writeByte(Ledger.COMMIT);
      out.writeUTF(config.book());
      out.writeUTF(scope.checkpointId());
      out.writeLong(epoch);
      Ledger.writeMap(out, stored);
      connection().ask(frame.toByteArray(), "commit");
    } catch (IOException e) {
      throw lost(e);
    }
  }

  @Override
  public Destination finish() {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(frame)) {
      out.writeByte(Ledger.FINISH);
      out.writeUTF(config.book());
      connection().ask(frame.toByteArray(), "finish");
    } catch (IOException e) {
      throw lost(e);
    }
    abort();
    return new Destination("ledger:" + config.book(), false);
  }

  @Override
  public void abort() {
    LedgerConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }
}
