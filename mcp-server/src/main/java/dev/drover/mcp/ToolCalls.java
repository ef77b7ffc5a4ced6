package dev.drover.mcp;

import dev.drover.runtime.SpecException;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools by name, and the way of a call through one of them. Any thread. */
final class ToolCalls {

  private final Map<String, Tool> tools = new LinkedHashMap<>();

  ToolCalls(List<Tool> tools) {
    tools.forEach(tool -> this.tools.put(tool.name(), tool));
  }

  /** In the order in which clients see them. */
  List<Tool> all() {
    return List.copyOf(tools.values());
  }

  @Nullable Tool find(String name) {
    return tools.get(name);
  }

  List<String> names() {
    return List.copyOf(tools.keySet());
  }

  /** A reply in the making. */
  static final class Reply {
    private final JsonWriter json = new JsonWriter();
    private boolean error;

    /** The one document. */
    JsonWriter json() {
      return json;
    }

    /** Whether the document tells of an error. */
    boolean isError() {
      return error;
    }

    Reply clear() {
      json.clear();
      error = false;
      return this;
    }

    private void fail(List<Problem> problems, String example) {
      clear();
      error = true;
      ErrorJson.write(json, problems, example);
    }

    private void fail(Throwable fault) {
      clear();
      error = true;
      ErrorJson.write(json, List.of(new Problem(ErrorCode.INTERNAL, "", logged(fault))), "");
    }
  }

  /** Logs a fault of our own under a new id; returns what the client may know of it. */
  static String logged(Throwable fault) {
    String id = UUID.randomUUID().toString().substring(0, 8);
    Holder.LOG.error("internal error {}", id, fault);
    return "internal error %s; the server's log says more under this id".formatted(id);
  }

  /** What waits in a call, with what it needs to tell of a mistake. */
  record Waiting(Tool tool, Arguments arguments, Tool.Rest rest) {

    /** Never throws. */
    void finish(Tool.Progress progress, Reply reply) {
      guard(
          tool,
          arguments,
          reply,
          () -> {
            rest.finish(progress, reply.json());
            return null;
          });
    }
  }

  /**
   * Begins a call; never throws.
   *
   * @param given what the client sent as {@code arguments}
   * @param reply empty; complete when this returns null
   * @return what has to wait; null: nothing
   */
  static @Nullable Waiting begin(Tool tool, @Nullable Object given, Reply reply) {
    Arguments arguments = new Arguments(tool.parameters(), given);
    Tool.Rest rest =
        guard(tool, arguments, reply, () -> tool.handler().begin(arguments, reply.json()));
    return rest == null ? null : new Waiting(tool, arguments, rest);
  }

  /** Turns whatever a step throws into a reply. */
  private static <T> @Nullable T guard(
      Tool tool, Arguments arguments, Reply reply, Supplier<@Nullable T> step) {
    try {
      return step.get();
    } catch (SpecException e) {
      reply.fail(e.problems(), example(tool, e.problems().getFirst().code(), arguments));
    } catch (DroverException e) {
      if (e.code() == ErrorCode.INTERNAL) {
        reply.fail(e);
      } else {
        reply.fail(List.of(e.problem()), example(tool, e.code(), arguments));
      }
    } catch (Throwable e) {
      // Also a StackOverflowError or an OutOfMemoryError ends one call, not the server.
      reply.fail(e);
    }
    return null;
  }

  private static String example(Tool tool, ErrorCode code, Arguments arguments) {
    return tool.example().after(code, arguments);
  }

  /**
   * The logger is made when something is to be said, which is seldom: logging takes time to start.
   */
  private static final class Holder {
    private static final Logger LOG = LoggerFactory.getLogger(ToolCalls.class);
  }
}
