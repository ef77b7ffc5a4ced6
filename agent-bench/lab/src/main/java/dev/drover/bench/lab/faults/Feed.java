package dev.drover.bench.lab.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a route of the harness reads, and the lines that must come out of it: both from one plain
 * loop that knows nothing of Drover.
 */
enum Feed {
  /** A file that is there as a whole. */
  CSV {
    @Override
    Map<String, ?> endpoint(Path folder, int rows) {
      return Map.of("file", Map.of("path", csv(folder).toString()));
    }

    @Override
    void prepare(Path folder, int rows) throws IOException {
      Files.write(csv(folder), utf8(texts(rows).csv()));
    }

    @Override
    byte[] lines(int rows) {
      return utf8(texts(rows).lines());
    }
  },

  /** Files that are read one after the other, as a pattern names them. */
  MANY_CSV {
    private static final int FILES = 7;

    @Override
    Map<String, ?> endpoint(Path folder, int rows) {
      return Map.of("file", Map.of("path", folder.resolve("in-*.csv").toString()));
    }

    @Override
    void prepare(Path folder, int rows) throws IOException {
      for (int i = 0; i < FILES; i++) {
        String csv = write(rows * i / FILES + 1, rows * (i + 1) / FILES).csv();
        Files.write(folder.resolve("in-" + i + ".csv"), utf8(csv));
      }
    }

    @Override
    byte[] lines(int rows) {
      return CSV.lines(rows);
    }
  },

  /** A file that is not whole before the route was started some times, and is cut anywhere. */
  GROWING_CSV {
    // One of so many parts is there at the beginning, and another comes with each start.
    private static final int PARTS = 5;

    @Override
    Map<String, ?> endpoint(Path folder, int rows) {
      return CSV.endpoint(folder, rows);
    }

    @Override
    void prepare(Path folder, int rows) throws IOException {
      byte[] whole = utf8(texts(rows).csv());
      Files.write(csv(folder), Arrays.copyOf(whole, whole.length / PARTS));
    }

    @Override
    void grow(Path folder, int rows) throws IOException {
      byte[] whole = utf8(texts(rows).csv());
      int from = (int) Files.size(csv(folder));
      int to = Math.min(whole.length, from + whole.length / PARTS + 1);
      if (to == from) {
        return;
      }
      Files.write(csv(folder), Arrays.copyOfRange(whole, from, to), StandardOpenOption.APPEND);
    }

    @Override
    byte[] lines(int rows) {
      return CSV.lines(rows);
    }
  },

  /** One row again and again: its lines can only be counted. */
  STATIC {
    private static final String TEXT = "one row, \"again\" and again, of about one hundred bytes";

    @Override
    Map<String, ?> endpoint(Path folder, int rows) {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("id", "4711");
      body.put("text", TEXT);
      return Map.of("static", Map.of("body", body, "count", rows));
    }

    @Override
    byte[] lines(int rows) {
      String line = "{\"id\":\"4711\",\"text\":\"" + TEXT.replace("\"", "\\\"") + "\"}\n";
      return utf8(line.repeat(rows));
    }
  };

  /** The endpoint of a route that reads so many rows. */
  abstract Map<String, ?> endpoint(Path folder, int rows);

  /** Makes what there is to read before the first start. */
  void prepare(Path folder, int rows) throws IOException {
    // Nothing outside the route.
  }

  /** Called when the route has begun to read, each time it is started: more may come. */
  void grow(Path folder, int rows) throws IOException {
    // It is all there.
  }

  /** What must come out of so many rows. */
  abstract byte[] lines(int rows);

  /** Whether the route ends by itself. */
  boolean ends() {
    return this != GROWING_CSV;
  }

  static Path csv(Path folder) {
    return folder.resolve("in.csv");
  }

  private record Texts(String csv, String lines) {}

  private static final Map<Integer, Texts> TEXTS = new ConcurrentHashMap<>();

  private static Texts texts(int rows) {
    return TEXTS.computeIfAbsent(rows, Feed::write);
  }

  private static Texts write(int rows) {
    return write(1, rows);
  }

  private static Texts write(int first, int last) {
    StringBuilder csv = new StringBuilder("id,name,note\n");
    StringBuilder lines = new StringBuilder();
    for (int row = first; row <= last; row++) {
      String name = "name of " + row * 7919L % 10_007;
      String note =
          switch (row % 5) {
            case 0 -> "a comma, and \"quotes\"";
            case 1 -> "two\nlines";
            case 2 -> "größer als 5 €";
            case 3 -> "";
            default -> "plain text that goes on for a while";
          };
      csv.append(row).append(',').append(name).append(",\"");
      csv.append(note.replace("\"", "\"\"")).append("\"\n");
      lines.append("{\"id\":\"").append(row).append("\",\"name\":\"").append(name);
      lines.append("\",\"note\":\"");
      lines.append(note.replace("\"", "\\\"").replace("\n", "\\n")).append("\"}\n");
    }
    return new Texts(csv.toString(), lines.toString());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
