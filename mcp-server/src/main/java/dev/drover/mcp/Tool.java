package dev.drover.mcp;

import dev.drover.spi.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tool, declared once; what the protocol shows of it is derived.
 *
 * @param parameters the arguments it takes
 * @param reply the keys that its reply may have; an error has {@code error} instead
 * @param example finds a call that would have worked
 */
record Tool(
    String name,
    String title,
    String description,
    List<Parameter> parameters,
    List<Parameter> reply,
    Hints hints,
    Handler handler,
    Example example) {

  /** What a tool does. Any thread, many at once. */
  @FunctionalInterface
  interface Handler {
    /**
     * Does all that needs no waiting. Runs on the thread that reads the client's messages, so it
     * must not block.
     *
     * @param reply takes the one JSON document of the reply, unless the rest writes it
     * @return what is left to do where waiting harms nobody; null: nothing
     * @throws dev.drover.runtime.SpecException for mistakes in the arguments
     * @throws dev.drover.spi.DroverException for anything else that the caller should know
     */
    @Nullable Rest begin(Arguments arguments, JsonWriter reply);
  }

  /** Shows somebody who made a mistake how it is done. */
  @FunctionalInterface
  interface Example {
    /**
     * @param code what was wrong
     * @return a call as JSON: {@code {"tool": …, "arguments": {…}}}
     */
    String after(ErrorCode code, Arguments arguments);
  }

  /** The waiting part of a call. Runs on a thread of its own. */
  @FunctionalInterface
  interface Rest {
    /**
     * Waits, then writes the reply. When interrupted it writes at once what is known by then.
     *
     * @param reply empty
     */
    void finish(Progress progress, JsonWriter reply);
  }

  /** Tells a waiting client how far its call is. */
  interface Progress {
    /** Whether the client asked for it. */
    boolean wanted();

    /**
     * @param done grows from call to call
     * @param total what {@code done} will be at the end; -1: unknown
     */
    void report(long done, long total, String message);
  }

  /** The JSON Schema of the arguments. */
  String inputSchema() {
    JsonWriter json = new JsonWriter();
    Parameter.writeSchema(json, parameters);
    return json.toString();
  }

  /** The JSON Schema of the reply. Nothing is required in it, for an error is a reply, too. */
  String outputSchema() {
    JsonWriter json = new JsonWriter();
    Parameter.writeSchema(json, reply);
    return json.toString();
  }
}
