package dev.drover.mcp;

import dev.drover.spi.ErrorCode;

/** Calls that work, for somebody whose call did not. */
final class Examples {

  static final String STATUS_OF_ALL = call("route_status", "{}");

  static final String SERVER_INFO = call("server_info", "{}");

  private Examples() {}

  /** Moves {@code in.csv} of the working folder. */
  static String start(ErrorCode code, Arguments arguments) {
    return switch (code) {
      case FILE_EXISTS, TARGET_BUSY, SAME_FILE -> start("\"write_mode\":\"replace\"", "");
      case ROUTE_EXISTS -> start("\"write_mode\":\"replace\"", "\"if_exists\":\"replace\"");
      default -> start("", "");
    };
  }

  private static String start(String outputOption, String argument) {
    return call(
        "start_route",
        "{\"name\":\"copy1\",\"route\":{\"input\":{\"file\":{\"path\":\"in.csv\"}},"
            + "\"output\":{\"file\":{\"path\":\"out.jsonl\""
            + (outputOption.isEmpty() ? "" : "," + outputOption)
            + "}}}"
            + (argument.isEmpty() ? "" : "," + argument)
            + "}");
  }

  static String byName(String tool, String name) {
    return call(tool, new JsonWriter().beginObject().field("name", name).endObject().toString());
  }

  private static String call(String tool, String arguments) {
    return "{\"tool\":\"" + tool + "\",\"arguments\":" + arguments + "}";
  }
}
