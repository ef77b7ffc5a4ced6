package dev.drover.mcp;

import dev.drover.runtime.RunState;
import dev.drover.runtime.RunStatus;
import dev.drover.spi.Destination;
import dev.drover.spi.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes what there is to say about a run. The keys that clients count on are always there; any
 * other only when it says something.
 */
final class StatusJson {

  /** What a status may hold. */
  static final List<Parameter> STATUS =
      List.of(
          Parameter.of("name", Parameter.Kind.TEXT),
          Parameter.of("state", Parameter.Kind.TEXT),
          Parameter.of("finished", Parameter.Kind.FLAG),
          Parameter.of("outcome", Parameter.Kind.ANY),
          Parameter.of("messages", Parameter.Kind.INTEGER),
          Parameter.of("elapsed_s", Parameter.Kind.NUMBER),
          Parameter.of("average_messages_per_second", Parameter.Kind.NUMBER),
          Parameter.of("rejected", Parameter.Kind.INTEGER),
          Parameter.of("bytes_in", Parameter.Kind.INTEGER),
          Parameter.of("bytes_out", Parameter.Kind.INTEGER),
          Parameter.of("committed", Parameter.Kind.INTEGER),
          Parameter.of("guarantee", Parameter.Kind.TEXT),
          Parameter.of("checkpoint", Parameter.Kind.TEXT),
          Parameter.of("destination", Parameter.Kind.TEXT),
          Parameter.of("error", Parameter.Kind.OBJECT));

  /** What the reply to a stop may hold. */
  static final List<Parameter> STOPPED =
      List.of(
          Parameter.of("messages", Parameter.Kind.INTEGER),
          Parameter.of("elapsed_s", Parameter.Kind.NUMBER),
          Parameter.of("average_messages_per_second", Parameter.Kind.NUMBER),
          Parameter.of("outcome", Parameter.Kind.ANY),
          Parameter.of("committed", Parameter.Kind.INTEGER),
          Parameter.of("error", Parameter.Kind.OBJECT));

  private StatusJson() {}

  static void writeStarted(JsonWriter json, RunStatus status) {
    json.beginObject().field("name", status.name()).field("state", status.state().wire());
    json.endObject();
  }

  static void write(JsonWriter json, RunStatus status) {
    boolean finished = status.finished();
    json.beginObject()
        .field("name", status.name())
        .field("state", status.state().wire())
        .field("finished", finished);
    writeOutcome(json, status);
    writeCounters(json, status);
    json.field("rejected", status.rejected())
        .field("bytes_in", status.bytesIn())
        .field("bytes_out", status.bytesOut());
    if (!finished) {
      writeProgress(json, status);
    }
    writeEnd(json, status);
    writeDelivery(json, status);
    Destination destination = status.destination();
    if (destination != null) {
      json.field("destination", destination.location());
      if (destination.replaced()) {
        json.field("replaced", true);
      }
    }
    if (!status.warnings().isEmpty()) {
      json.key("warnings").beginArray();
      status.warnings().forEach(json::value);
      json.endArray();
    }
    json.endObject();
  }

  static void writeStopped(JsonWriter json, RunStatus status) {
    json.beginObject();
    writeCounters(json, status);
    writeOutcome(json, status);
    if (!status.finished()) {
      json.field("state", status.state().wire());
    }
    writeEnd(json, status);
    json.endObject();
  }

  /** One line of a list of runs. */
  static void writeShort(JsonWriter json, RunStatus status) {
    json.beginObject()
        .field("name", status.name())
        .field("state", status.state().wire())
        .field("messages", status.messages())
        .key("elapsed_s")
        .decimal(micros(status), 6)
        .endObject();
  }

  /** As {@link #writeShort(JsonWriter, RunStatus)}, of a run of an earlier server. */
  static void writeShort(JsonWriter json, Map<?, ?> status) {
    write(json, status, "name", "state", "messages", "elapsed_s");
  }

  /** As {@link #writeStopped(JsonWriter, RunStatus)}, of a run of an earlier server. */
  static void writeStopped(JsonWriter json, Map<?, ?> status) {
    write(
        json,
        status,
        "messages",
        "elapsed_s",
        "average_messages_per_second",
        "outcome",
        "committed",
        "error",
        "resume_with");
  }

  private static void write(JsonWriter json, Map<?, ?> status, String... keys) {
    json.beginObject();
    for (String key : keys) {
      Object value = status.get(key);
      if (value != null) {
        json.key(key).any(value);
      }
    }
    json.endObject();
  }

  private static void writeOutcome(JsonWriter json, RunStatus status) {
    json.field("outcome", status.finished() ? status.state().wire() : null);
  }

  private static void writeCounters(JsonWriter json, RunStatus status) {
    json.field("messages", status.messages()).key("elapsed_s").decimal(micros(status), 6);
    json.key("average_messages_per_second")
        .decimal(Math.round(status.averageMessagesPerSecond() * 10), 1);
  }

  private static void writeProgress(JsonWriter json, RunStatus status) {
    long rate = Math.round(status.messagesPerSecond());
    if (rate > 0) {
      json.field("messages_per_second", rate);
    }
    if (status.totalBytes() > 0) {
      json.field("total_bytes", status.totalBytes());
    }
  }

  /** Nothing is said of a run that leaves everything or nothing, as most do. */
  private static void writeDelivery(JsonWriter json, RunStatus status) {
    if (status.retried() > 0) {
      json.field("retried", status.retried());
    }
    if (status.deadLettered() > 0) {
      json.field("dead_lettered", status.deadLettered());
    }
    if (status.filtered() > 0) {
      json.field("filtered", status.filtered());
    }
    if (!status.checkpointId().isEmpty()) {
      json.field("guarantee", status.guarantee().name().toLowerCase(Locale.ROOT));
      json.field("checkpoint", status.checkpointId());
      if (status.resumed()) {
        json.field("resumed", true);
      }
    }
  }

  private static void writeEnd(JsonWriter json, RunStatus status) {
    if (status.state() == RunState.FAILED || status.state() == RunState.STOPPED) {
      json.field("committed", status.committed());
    }
    Problem error = status.error();
    if (error != null) {
      json.key("error").beginObject();
      json.field("code", error.code().wire()).field("message", error.message());
      if (status.stage() != null) {
        json.field("stage", status.stage());
      }
      if (!error.path().isEmpty()) {
        json.field("path", error.path());
      }
      if (error.suggestion() != null) {
        json.field("suggestion", error.suggestion());
      }
      if (error.code().retriable()) {
        json.field("retryable", true);
      }
      json.endObject();
    }
  }

  private static long micros(RunStatus status) {
    return status.elapsedNanos() / 1000;
  }
}
