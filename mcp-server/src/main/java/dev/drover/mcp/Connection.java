package dev.drover.mcp;

import dev.drover.mcp.ToolCalls.Reply;
import dev.drover.mcp.ToolCalls.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One client's conversation: one JSON-RPC message a line in, one a line out. Tool calls and pings
 * are answered here, everything else by the session of the SDK. No line, however malformed, ends
 * it.
 *
 * <p>{@link #serve} runs on one thread and answers there what needs no waiting. {@link #end} may
 * come from any thread.
 */
final class Connection {

  /** The most bytes of one message. */
  static final int MAX_MESSAGE_BYTES = 16 << 20;

  /** How long waiting calls may take to answer once the conversation ends. */
  static final Duration END_TIMEOUT = Duration.ofSeconds(1);

  static final int PARSE_ERROR = -32700;
  static final int INVALID_REQUEST = -32600;
  static final int METHOD_NOT_FOUND = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL_ERROR = -32603;
  static final int UNSUPPORTED_VERSION = -32022;

  /** Where a client of a revision without a handshake says which one. */
  private static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

  /** The first revision with structured content. */
  private static final String STRUCTURED_SINCE = "2025-06-18";

  private final LineReader lines;
  private final MessageWriter messages;
  private final ToolCalls tools;
  private final Sessions sessions;
  private final WaitingCalls waiting = new WaitingCalls();

  // Only the reading thread uses these two.
  private final Reply reply = new Reply();
  private final JsonWriter envelope = new JsonWriter();

  private @Nullable Session session;

  /** Where sessions of the SDK come from. */
  @FunctionalInterface
  interface Sessions {
    Session open(MessageWriter messages);
  }

  /** The SDK's part of a conversation. */
  interface Session {
    /** The revisions that may be agreed upon, oldest first. */
    List<String> REVISIONS = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    /** Handles a request, and answers it. */
    void request(String method, Object id, @Nullable Object params);

    /** The revision that was agreed upon; null before that. */
    @Nullable String revision();

    void close();
  }

  Connection(InputStream in, OutputStream out, ToolCalls tools, Sessions sessions) {
    this.lines = new LineReader(in, MAX_MESSAGE_BYTES);
    this.messages = new MessageWriter(out);
    this.tools = tools;
    this.sessions = sessions;
  }

  /**
   * Answers messages until there are no more or the client is gone; then every waiting call is
   * answered at once.
   */
  void serve() {
    try {
      while (!messages.broken() && lines.next()) {
        handleLine();
      }
    } catch (IOException e) {
      // A pipe that cannot be read has ended.
    }
    end(END_TIMEOUT);
    if (session != null) {
      session.close();
    }
  }

  /** Has all waiting calls answered now. Returns when they are, or when the time is up. */
  void end(Duration atMost) {
    for (Object id : waiting.end(atMost)) {
      JsonWriter message = begin(new JsonWriter(), id);
      message.key("error").beginObject().field("code", INTERNAL_ERROR);
      message.field("message", "the server is ending").endObject().endObject().newLine();
      messages.send(message);
    }
  }

  private void handleLine() {
    if (lines.tooLong()) {
      error(
          null,
          INVALID_REQUEST,
          "the message is larger than max_message_bytes (%d)".formatted(MAX_MESSAGE_BYTES));
      return;
    }
    byte[] buffer = lines.buffer();
    int start = lines.start();
    int end = start + lines.length();
    if (end - start >= 3
        && buffer[start] == (byte) 0xef
        && buffer[start + 1] == (byte) 0xbb
        && buffer[start + 2] == (byte) 0xbf) {
      start += 3;
    }
    while (start < end && isSpace(buffer[start])) {
      start++;
    }
    if (start < end) {
      handle(buffer, start, end - start);
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  private void handle(byte[] buffer, int start, int length) {
    Object id = null;
    try {
      Object document = JsonReader.read(buffer, start, length);
      if (!(document instanceof Map<?, ?> message)) {
        error(
            null,
            INVALID_REQUEST,
            document instanceof List<?>
                ? "batches are not supported: send one message a line"
                : "a message must be a JSON object");
        return;
      }
      Object given = message.get("id");
      id = given instanceof String || given instanceof Long ? given : null;
      handle(message, id);
    } catch (JsonReader.JsonException e) {
      error(null, e.limit() ? INVALID_REQUEST : PARSE_ERROR, e.text());
    } catch (Throwable e) {
      // Also an OutOfMemoryError over one message must not end the conversation.
      error(id, INTERNAL_ERROR, ToolCalls.logged(e));
    }
  }

  private void handle(Map<?, ?> message, @Nullable Object id) {
    if (!(message.get("method") instanceof String method)) {
      boolean answer = message.containsKey("result") || message.containsKey("error");
      if (!answer) {
        error(id, INVALID_REQUEST, "the message has no method");
      }
      return;
    }
    if (!"2.0".equals(message.get("jsonrpc"))) {
      error(id, INVALID_REQUEST, "the message must have \"jsonrpc\":\"2.0\"");
      return;
    }
    Object params = message.get("params");
    if (id != null) {
      request(method, id, params);
    } else if (message.containsKey("id")) {
      error(null, INVALID_REQUEST, "the id must be a string or a whole number");
    } else if (method.equals("notifications/cancelled") && params instanceof Map<?, ?> map) {
      waiting.cancel(map.get("requestId"));
    }
    // Other notifications tell nothing that is acted upon.
  }

  private void request(String method, Object id, @Nullable Object params) {
    switch (method) {
      case "ping" -> {
        begin(id).key("result").beginObject().endObject();
        send();
      }
      case "initialize" -> {
        if (session != null) {
          session.close();
        }
        session = sessions.open(messages);
        session.request(method, id, params);
      }
      case "server/discover" -> error(id, METHOD_NOT_FOUND, "unknown method server/discover");
      default -> {
        if (session == null || session.revision() == null) {
          uninitialized(id, params);
        } else if (method.equals("tools/call")) {
          call(session, id, params);
        } else {
          session.request(method, id, params);
        }
      }
    }
  }

  private void uninitialized(Object id, @Nullable Object params) {
    if (params instanceof Map<?, ?> map
        && map.get("_meta") instanceof Map<?, ?> meta
        && meta.get(VERSION_KEY) instanceof String requested) {
      begin(id).key("error").beginObject().field("code", UNSUPPORTED_VERSION);
      envelope.field("message", "this server needs initialize").key("data").beginObject();
      envelope.key("supported").any(Session.REVISIONS).field("requested", requested);
      envelope.endObject().endObject();
      send();
    } else {
      error(id, INVALID_REQUEST, "not initialized: send initialize first");
    }
  }

  private void call(Session from, Object id, @Nullable Object params) {
    if (!(params instanceof Map<?, ?> map) || !(map.get("name") instanceof String name)) {
      error(id, INVALID_PARAMS, "tools/call needs params with the name of a tool");
      return;
    }
    Tool tool = tools.find(name);
    if (tool == null) {
      String nearest = Arguments.nearest(name, tools.names());
      error(
          id,
          INVALID_PARAMS,
          "unknown tool '%s'%s; the tools are %s"
              .formatted(
                  Arguments.cut(name),
                  nearest == null ? "" : ", did you mean '%s'?".formatted(nearest),
                  String.join(", ", tools.names())));
      return;
    }
    boolean structured = isStructured(from);
    Waiting rest = ToolCalls.begin(tool, map.get("arguments"), reply.clear());
    if (rest == null) {
      send(envelope, id, reply, structured);
    } else {
      await(rest, id, progressToken(map), structured);
    }
  }

  private void await(Waiting rest, Object id, @Nullable Object progressToken, boolean structured) {
    boolean accepted =
        waiting.start(
            id,
            call -> {
              Reply late = new Reply();
              rest.finish(new ProgressNotes(progressToken, messages, call), late);
              if (call.answer()) {
                send(new JsonWriter(), id, late, structured);
              }
            });
    if (!accepted) {
      error(
          id,
          INVALID_REQUEST,
          waiting.has(id)
              ? "a request with this id is still waiting"
              : "more than max_waiting_calls (%d) calls are waiting"
                  .formatted(WaitingCalls.MAX_WAITING_CALLS));
    }
  }

  private static @Nullable Object progressToken(Map<?, ?> params) {
    return params.get("_meta") instanceof Map<?, ?> meta ? meta.get("progressToken") : null;
  }

  private static boolean isStructured(Session session) {
    String revision = session.revision();
    return revision != null && revision.compareTo(STRUCTURED_SINCE) >= 0;
  }

  private void send(JsonWriter message, Object id, Reply result, boolean structured) {
    begin(message, id).key("result").beginObject();
    message.key("content").beginArray().beginObject().field("type", "text");
    message.key("text").quoted(result.json()).endObject().endArray();
    if (structured) {
      message.key("structuredContent").raw(result.json());
    }
    if (result.isError()) {
      message.field("isError", true);
    }
    message.endObject().endObject().newLine();
    messages.send(message);
  }

  private void error(@Nullable Object id, int code, String text) {
    begin(id).key("error").beginObject().field("code", code).field("message", text).endObject();
    send();
  }

  private JsonWriter begin(@Nullable Object id) {
    return begin(envelope, id);
  }

  private static JsonWriter begin(JsonWriter message, @Nullable Object id) {
    return message.clear().beginObject().field("jsonrpc", "2.0").key("id").any(id);
  }

  private void send() {
    messages.send(envelope.endObject().newLine());
  }
}
