package dev.drover.bench.lab.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The files in which the last long session is kept: JSON, and Markdown made of it. */
final class FaultResults {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private FaultResults() {}

  static Path json(Path folder) {
    return folder.resolve("faults.json");
  }

  static Path markdown(Path folder) {
    return folder.resolve("faults.md");
  }

  /** Writes both files. */
  static void write(Path folder, FaultReport report) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(json(folder), JSON.writeValueAsString(report) + "\n");
    Files.writeString(markdown(folder), FaultTable.page(report));
  }

  /** Reads the JSON file. */
  static FaultReport read(Path folder) throws IOException {
    return JSON.readValue(Files.readString(json(folder)), FaultReport.class);
  }
}
