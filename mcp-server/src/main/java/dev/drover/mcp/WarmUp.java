package dev.drover.mcp;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Practice before the first client: made-up messages go the whole way of a real one, over a
 * connection of their own, so that the first real calls find compiled code. They change nothing.
 */
final class WarmUp {

  /** Enough for any compiler; ends a practice whose budget is generous. */
  private static final int MAX_MESSAGES = 20_000;

  /** One in so many messages is of the kinds that come now and then. */
  private static final int SELDOM = 16;

  private static final List<String> OFTEN =
      List.of(call("route_status", "{}"), call("server_info", "{}"));

  private static final List<String> NOW_AND_THEN =
      List.of(
          call(
              "start_route",
              "{\"name\":\"a\",\"route\":{\"input\":{\"file\":{\"path\":\"a\",\"format\":\"csv\"}},"
                  + "\"output\":{},\"exit_on_empty\":0},\"batch_size\":1024,\"concurrency\":1}"),
          call("route_status", "{\"name\":\"drover-warm-up\"}"),
          call("wait_route", "{\"name\":\"drover-warm-up\",\"timeout_ms\":1}"));

  private static final String HANDSHAKE =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
      "capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"drover","version":"1"}}}
      """;

  private WarmUp() {}

  private static String call(String tool, String arguments) {
    return "\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}\n"
        .formatted(tool, arguments);
  }

  /** Practises a handshake, which a client has once. */
  static void shakeHands(ToolCalls tools, Connection.Sessions sessions) {
    InputStream in = new ByteArrayInputStream(HANDSHAKE.getBytes(StandardCharsets.UTF_8));
    new Connection(in, OutputStream.nullOutputStream(), tools, sessions).serve();
  }

  /** Practises calls for so long. */
  static void call(ToolCalls tools, Duration budget) {
    InputStream in = new MadeUpMessages(System.nanoTime() + budget.toNanos());
    new Connection(in, OutputStream.nullOutputStream(), tools, messages -> new NoSession()).serve();
  }

  /** Gives one message a read, as a pipe does, until the time is up. */
  private static final class MadeUpMessages extends InputStream {
    private final long deadline;
    private int count;

    MadeUpMessages(long deadline) {
      this.deadline = deadline;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("only whole messages");
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (count == MAX_MESSAGES || (count > 0 && System.nanoTime() > deadline)) {
        return -1;
      }
      String rest = count == 0 ? "\"method\":\"initialize\"}\n" : next();
      String message = "{\"jsonrpc\":\"2.0\",\"id\":" + count++ + "," + rest;
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      System.arraycopy(bytes, 0, to, offset, bytes.length);
      return bytes.length;
    }

    private String next() {
      List<String> kind = count % SELDOM == 1 ? NOW_AND_THEN : OFTEN;
      return kind.get(count / SELDOM % kind.size());
    }
  }

  /** An agreed revision and nothing else. */
  private static final class NoSession implements Connection.Session {
    @Override
    public void request(String method, Object id, @Nullable Object params) {}

    @Override
    public String revision() {
      return REVISIONS.getFirst();
    }

    @Override
    public void close() {}
  }
}
