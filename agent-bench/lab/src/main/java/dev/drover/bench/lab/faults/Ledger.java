package dev.drover.bench.lab.faults;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps books of rows in memory and takes them over a socket, as a database would: rows are staged
 * with their connection, and a commit applies them together with the checkpoint or not at all. A
 * request that did not come whole is not seen; what was staged is gone with its connection.
 */
final class Ledger implements AutoCloseable {

  static final int CLAIM = 1;
  static final int STAGE = 2;
  static final int APPEND = 3;
  static final int COMMIT = 4;
  static final int FINISH = 5;

  static final int DONE = 1;
  static final int FENCED = 2;

  private final ServerSocket server;
  private final Map<String, LedgerBook> books = new ConcurrentHashMap<>();

  private Ledger(ServerSocket server) {
    this.server = server;
  }

  /** Listens on a free port of this machine, until closed. */
  static Ledger open() throws IOException {
    Ledger ledger = new Ledger(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon().name("ledger").start(ledger::accept);
    return ledger;
  }

  int port() {
    return server.getLocalPort();
  }

  /** The book of this name; made on first use. */
  LedgerBook book(String name) {
    return books.computeIfAbsent(name, _ -> new LedgerBook());
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      ByteArrayOutputStream staged = new ByteArrayOutputStream();
      while (answer(in, out, staged)) {
        // The next one.
      }
    } catch (IOException e) {
      // The client is gone, perhaps in the middle of a request.
    }
  }

  /** False if the connection is to be dropped. */
  private boolean answer(DataInputStream in, DataOutputStream out, ByteArrayOutputStream staged)
      throws IOException {
    int request = in.readByte();
    LedgerBook book = book(in.readUTF());
    boolean done = true;
    boolean dropped = false;
    switch (request) {
      case CLAIM -> {
        LedgerBook.Claim claim = book.claim(in.readUTF(), in.readBoolean());
        out.writeLong(claim.epoch());
        writeMap(out, claim.stored());
        return true;
      }
      case STAGE -> staged.writeBytes(in.readNBytes(in.readInt()));
      case APPEND -> {
        int length = in.readInt();
        byte[] rows = in.readNBytes(length);
        if (rows.length < length) {
          return false;
        }
        book.append(rows);
        dropped = book.dropsNow();
      }
      case COMMIT -> {
        done = book.commit(in.readUTF(), in.readLong(), readMap(in), staged.toByteArray());
        staged.reset();
        dropped = done && book.dropsNow();
      }
      case FINISH -> book.finish();
      default -> throw new IOException("no request has the number " + request);
    }
    pause(book.answerMillis());
    if (!dropped) {
      out.writeByte(done ? DONE : FENCED);
    }
    return !dropped;
  }

  private static void pause(int millis) {
    if (millis > 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  static void writeMap(DataOutputStream out, Map<String, String> map) throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<String, String> entry : map.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeUTF(entry.getValue());
    }
  }

  static Map<String, String> readMap(DataInputStream in) throws IOException {
    Map<String, String> map = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String key = in.readUTF();
      map.put(key, in.readUTF());
    }
    return map;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
