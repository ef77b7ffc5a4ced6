package dev.drover.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The files in which results are kept: JSON for programs, and Markdown made of it. */
final class Results {
  /** Name of both files, without ending. */
  static final String CSV_TO_LINES = "csv-to-jsonl";

  /** In a page, the table stands between a line with this text and {@link #END}. */
  static final String BEGIN = "<!-- results: " + CSV_TO_LINES + " -->";

  static final String END = "<!-- end of results -->";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Results() {}

  static Path json(Path folder) {
    return folder.resolve(CSV_TO_LINES + ".json");
  }

  static Path markdown(Path folder) {
    return folder.resolve(CSV_TO_LINES + ".md");
  }

  /** Writes both files. */
  static void write(Path folder, Report report) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(json(folder), JSON.writeValueAsString(report) + "\n");
    Files.writeString(markdown(folder), ResultTable.page(report));
  }

  /** Reads the JSON file. */
  static Report read(Path folder) throws IOException {
    return JSON.readValue(Files.readString(json(folder)), Report.class);
  }

  /** The page with the report's brief table between its marks; unchanged if it has none. */
  static String embedded(String page, Report report) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END, Math.max(0, begin));
    if (begin < 0 || end < 0) {
      return page;
    }
    return page.substring(0, begin + BEGIN.length())
        + "\n"
        + ResultTable.brief(report)
        + page.substring(end);
  }
}
