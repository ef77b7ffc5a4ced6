package dev.drover.mcp;

import dev.drover.runtime.RunStatus;
import dev.drover.spi.Problem;
import java.util.List;

/** The documents that agents get, for those who show them elsewhere. Any thread. */
public final class RunDocuments {

  private RunDocuments() {}

  /** What {@code route_status} replies for a run, as compact JSON. */
  public static String status(RunStatus status) {
    JsonWriter json = new JsonWriter();
    StatusJson.write(json, status);
    return json.toString();
  }

  /**
   * What a refused call replies, as compact JSON.
   *
   * @param problems at least one
   */
  public static String error(List<Problem> problems) {
    JsonWriter json = new JsonWriter();
    ErrorJson.write(json, problems, "");
    return json.toString();
  }
}
