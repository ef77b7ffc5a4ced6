package dev.drover.bench.lab.faults;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Split;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;

/** The client's end of a connection to a {@link Ledger}. One thread. */
final class LedgerConnection implements AutoCloseable {

  /**
   * What the ledger tells of a checkpoint that was taken over.
   *
   * @param stored of each split
   */
  record Claim(long epoch, Map<Split, String> stored) {}

  private static final int TIMEOUT_MS = 30_000;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  private LedgerConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = socket.getOutputStream();
  }

  static LedgerConnection open(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    return new LedgerConnection(socket);
  }

  /** Takes a checkpoint over. */
  Claim claim(String book, String checkpoint, boolean resume) throws IOException {
    DataOutputStream frame = new DataOutputStream(out);
    frame.writeByte(Ledger.CLAIM);
    frame.writeUTF(book);
    frame.writeUTF(checkpoint);
    frame.writeBoolean(resume);
    frame.flush();
    long epoch = in.readLong();
    Map<Split, String> stored = new HashMap<>();
    Ledger.readMap(in).forEach((split, text) -> stored.put(new Split(split), text));
    return new Claim(epoch, stored);
  }

  /**
   * Sends a request and waits for its answer, with kill points on the way.
   *
   * @throws DroverException if an older epoch is not listened to any more
   */
  void ask(byte[] frame, String what) throws IOException {
    int half = frame.length / 2;
    out.write(frame, 0, half);
    KillPoints.reached(what + " half sent");
    out.write(frame, half, frame.length - half);
    KillPoints.reached(what + " sent");
    int answer = in.readByte();
    KillPoints.reached(what + " answered");
    if (answer != Ledger.DONE) {
      throw new DroverException(
          ErrorCode.FENCED, "another run writes into this book of the ledger");
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The other end has gone first.
    }
  }
}
