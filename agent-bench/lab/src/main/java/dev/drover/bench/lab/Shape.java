package dev.drover.bench.lab;

import dev.drover.bench.client.HashingOutput;
import dev.drover.bench.client.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * CSV files unlike the fixture, about 100 MB each, to see that a figure is not owed to the
 * fixture's shape. No field is empty, because tools differ on whether an empty field is null.
 */
enum Shape {
  /** Many short fields a row. */
  WIDE("60 columns", 250_000, false) {
    @Override
    List<String> names() {
      return IntStream.range(0, 60).mapToObj(i -> "column_" + i).toList();
    }

    @Override
    void draw(long row, Draws draws, String[] into) {
      for (int i = 0; i < into.length; i++) {
        into[i] =
            switch (i % 5) {
              case 0 -> Integer.toString(draws.below(1_000_000));
              case 1 -> draws.below(2) == 0 ? "yes" : "no";
              case 2 -> draws.below(10_000) + "." + draws.between(10, 99);
              case 3 -> "Q" + draws.between(1, 4);
              default -> draws.word(4, 12);
            };
      }
    }
  },

  /** What stops a reader that looks for line ends first. */
  QUOTED("every field quoted, with line breaks", 600_000, true) {
    @Override
    List<String> names() {
      return List.of("id", "title", "body", "note");
    }

    @Override
    void draw(long row, Draws draws, String[] into) {
      into[0] = Long.toString(row);
      into[1] = draws.words(3);
      into[2] = draws.words(6) + "\r\n" + draws.words(6);
      into[3] = draws.words(2) + " \"" + draws.words(1) + "\"\n" + draws.words(2);
    }
  },

  /** Where the cost of a row shows, not that of a byte. */
  SMALL("20-byte rows", 5_000_000, false) {
    @Override
    List<String> names() {
      return List.of("id", "kind", "n");
    }

    @Override
    void draw(long row, Draws draws, String[] into) {
      into[0] = Long.toString(999_999 + row);
      into[1] = draws.word(3, 3);
      into[2] = Integer.toString(draws.between(100_000, 999_999));
    }
  };

  private static final int SEED = 7;

  private final String title;
  private final long rows;
  private final boolean quoted;

  Shape(String title, long rows, boolean quoted) {
    this.title = title;
    this.rows = rows;
    this.quoted = quoted;
  }

  /** In words, for a table. */
  String title() {
    return title;
  }

  /** Rows that make about 100 MB. */
  long rows() {
    return rows;
  }

  abstract List<String> names();

  /** Fills in the values of row {@code row}, counted from 1. */
  abstract void draw(long row, Draws draws, String[] into);

  /** Writes the CSV file, and knows what an untyped job must make of it. */
  Input write(Path file, long count) throws IOException {
    HashingOutput expected = new HashingOutput(OutputStream.nullOutputStream());
    TextBuffer lines = new TextBuffer(expected);
    try (OutputStream out = Files.newOutputStream(file)) {
      TextBuffer csv = new TextBuffer(out);
      List<String> names = names();
      putCsv(csv, names.toArray(String[]::new));
      Draws draws = new Draws(SEED);
      String[] values = new String[names.size()];
      for (long row = 1; row <= count; row++) {
        draw(row, draws, values);
        putCsv(csv, values);
        putLine(lines, names, values);
        csv.flushIfFull();
        lines.flushIfFull();
      }
      csv.flush();
    }
    lines.flush();
    return new Input(file, count, Files.size(file), expected.digest().sha256());
  }

  private void putCsv(TextBuffer csv, String[] values) {
    for (int i = 0; i < values.length; i++) {
      if (i > 0) {
        csv.put(',');
      }
      csv.put(quoted ? '"' + values[i].replace("\"", "\"\"") + '"' : values[i]);
    }
    csv.put("\r\n");
  }

  private void putLine(TextBuffer lines, List<String> names, String[] values) {
    for (int i = 0; i < values.length; i++) {
      lines.put(i == 0 ? "{\"" : ",\"");
      lines.put(names.get(i));
      lines.put("\":\"");
      lines.put(quoted ? escaped(values[i]) : values[i]);
      lines.put('"');
    }
    lines.put("}\n");
  }

  private static String escaped(String text) {
    return text.replace("\"", "\\\"").replace("\r", "\\r").replace("\n", "\\n");
  }
}
