package dev.drover.bench.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Split;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A ledger that kept its promises only by chance would prove nothing about those who use it. */
class LedgerTest {
  private static final Split SPLIT = new Split("a");

  private static byte[] rows(String rows) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(frame);
    out.writeByte(Ledger.STAGE);
    out.writeUTF("book");
    byte[] bytes = rows.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
    return frame.toByteArray();
  }

  private static byte[] commit(long epoch, String stored) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(frame);
    out.writeByte(Ledger.COMMIT);
    out.writeUTF("book");
    out.writeUTF("id");
    out.writeLong(epoch);
    Ledger.writeMap(out, Map.of(SPLIT.id(), stored));
    return frame.toByteArray();
  }

  @Test
  void rowsAndCheckpointComeTogetherOrNotAtAll() throws IOException {
    try (Ledger ledger = Ledger.open()) {
      try (LedgerConnection first = LedgerConnection.open(ledger.port())) {
        long epoch = first.claim("book", "id", true).epoch();
        first.ask(rows("1\n"), "rows");
        assertThat(ledger.book("book").length()).as("before the commit").isZero();
        first.ask(commit(epoch, "at 1"), "commit");
        first.ask(rows("lost with the connection\n"), "rows");
      }
      try (LedgerConnection second = LedgerConnection.open(ledger.port())) {
        assertThat(second.claim("book", "id", true).stored()).isEqualTo(Map.of(SPLIT, "at 1"));
        assertThat(second.claim("book", "id", false).stored()).isEmpty();
      }
      assertThat(ledger.book("book").rows()).asString().isEqualTo("1\n");
    }
  }

  @Test
  void anOlderEpochIsFenced() throws IOException {
    try (Ledger ledger = Ledger.open();
        LedgerConnection older = LedgerConnection.open(ledger.port());
        LedgerConnection newer = LedgerConnection.open(ledger.port())) {
      long past = older.claim("book", "id", true).epoch();
      long epoch = newer.claim("book", "id", true).epoch();
      older.ask(rows("of the older\n"), "rows");
      assertThatThrownBy(() -> older.ask(commit(past, "at 1"), "commit"))
          .isInstanceOfSatisfying(
              DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
      newer.ask(rows("of the newer\n"), "rows");
      newer.ask(commit(epoch, "at 1"), "commit");
      assertThat(ledger.book("book").rows()).asString().isEqualTo("of the newer\n");
    }
  }

  @Test
  void aCommitMayBeDoneAndNobodyKnows() throws IOException {
    try (Ledger ledger = Ledger.open();
        LedgerConnection connection = LedgerConnection.open(ledger.port())) {
      long epoch = connection.claim("book", "id", true).epoch();
      connection.ask(rows("1\n"), "rows");
      ledger.book("book").dropAfter(1);
      assertThatThrownBy(() -> connection.ask(commit(epoch, "at 1"), "commit"))
          .isInstanceOf(IOException.class);
      assertThat(ledger.book("book").dropped()).isEqualTo(1);
      assertThat(ledger.book("book").rows()).asString().isEqualTo("1\n");
    }
  }

  @Test
  void halfARequestIsNone() throws IOException {
    try (Ledger ledger = Ledger.open()) {
      long epoch;
      try (LedgerConnection connection = LedgerConnection.open(ledger.port())) {
        epoch = connection.claim("book", "id", true).epoch();
      }
      byte[] frame = commit(epoch, "at 1");
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ledger.port())) {
        socket.getOutputStream().write(frame, 0, frame.length - 1);
        socket.shutdownOutput();
        assertThat(socket.getInputStream().read()).as("no answer").isEqualTo(-1);
      }
      try (LedgerConnection next = LedgerConnection.open(ledger.port())) {
        assertThat(next.claim("book", "id", true).stored()).isEmpty();
      }
    }
  }
}
