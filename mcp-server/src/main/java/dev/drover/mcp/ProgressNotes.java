package dev.drover.mcp;

import org.jspecify.annotations.Nullable;

/** Sends a waiting call's progress to the client that gave a token for it. One thread. */
final class ProgressNotes implements Tool.Progress {

  private final @Nullable Object token;
  private final MessageWriter messages;
  private final WaitingCalls.Call call;
  private long reported = -1;

  ProgressNotes(@Nullable Object token, MessageWriter messages, WaitingCalls.Call call) {
    this.token = token;
    this.messages = messages;
    this.call = call;
  }

  @Override
  public boolean wanted() {
    return token instanceof String || token instanceof Long;
  }

  @Override
  public void report(long done, long total, String message) {
    // The protocol wants it to grow with every note, and none after the answer.
    if (done <= reported || call.closed()) {
      return;
    }
    reported = done;
    JsonWriter note = new JsonWriter();
    note.beginObject().field("jsonrpc", "2.0").field("method", "notifications/progress");
    note.key("params").beginObject().key("progressToken").any(token).field("progress", done);
    if (total >= done) {
      note.field("total", total);
    }
    note.field("message", message).endObject().endObject().newLine();
    messages.send(note);
  }
}
