package dev.drover.toolschemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The generated descriptions of what clients send and get: one JSON document for each tool ({@code
 * tools/NAME}), for each end of a route that a connector offers ({@code endpoints/NAME.source},
 * {@code endpoints/NAME.sink}), and the list of error codes ({@code errors}). Any thread.
 */
public final class ToolSchemas {

  private ToolSchemas() {}

  /** The names of all documents, sorted. */
  public static List<String> names() {
    return text("index.txt").lines().toList();
  }

  /**
   * A document as JSON text.
   *
   * @param name one of {@link #names}
   * @throws IllegalArgumentException if there is no such document
   */
  public static String json(String name) {
    return text(name + ".json");
  }

  private static String text(String file) {
    try (InputStream in = ToolSchemas.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no document '%s'".formatted(file));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
