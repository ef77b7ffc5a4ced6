package dev.drover.bench.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import dev.drover.runtime.IfExists;
import dev.drover.runtime.RouteReader;
import dev.drover.runtime.Run;
import dev.drover.runtime.RunState;
import dev.drover.spi.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DuckDB reads what we write as we do. */
class OutsideReaderTest {

  private static final List<String> NAMES =
      List.of(
          "plain", "a, b", "\"q\"", "two\nlines", "", "é 漢 🦜", "back\\slash", "NULL", " blank ");

  @TempDir private Path folder;

  private Path input() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      String name = NAMES.get(i % NAMES.size());
      lines
          .append("{\"id\":")
          .append(i)
          .append(",\"name\":")
          .append(i % 11 == 0 ? "null" : quoted(name))
          .append("}\n");
    }
    return Files.writeString(folder.resolve("in.jsonl"), lines, UTF_8);
  }

  private void copy(Path out, Map<String, ?> options) throws IOException {
    Map<String, Object> file = new LinkedHashMap<>(options);
    file.put("path", out.toString());
    Connectors known = Connectors.load();
    RouteReader reader = new RouteReader(known, WriteMode.REPLACE);
    Map<String, ?> route =
        Map.of(
            "input",
            Map.of("file", Map.of("path", input().toString())),
            "output",
            Map.of("file", file));
    try (Engine engine = new Engine(known, FileAccess.unfenced(), Engine.Settings.NONE)) {
      Run run =
          engine.start(reader.read(route, null, RouteReader.Overrides.NONE, ""), IfExists.ERROR);
      assertThat(run.await(Duration.ofSeconds(60))).isTrue();
      assertThat(run.status().state()).as("%s", run.status()).isEqualTo(RunState.COMPLETED);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  private static List<List<@Nullable String>> expected() {
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      List<@Nullable String> row = new ArrayList<>();
      row.add(Integer.toString(i));
      row.add(i % 11 == 0 ? null : NAMES.get(i % NAMES.size()));
      rows.add(row);
    }
    return rows;
  }

  private static List<List<@Nullable String>> query(String sql) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        List<@Nullable String> row = new ArrayList<>();
        row.add(found.getString(1));
        row.add(found.getString(2));
        rows.add(row);
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.jsonl", "out.jsonl.gz", "out.jsonl.zst"})
  void readsLines(String name) throws IOException, SQLException {
    Path out = folder.resolve(name);
    copy(out, Map.of());
    String from = "read_json('" + out + "', columns={id: 'VARCHAR', name: 'VARCHAR'})";
    assertThat(query("SELECT id, name FROM " + from)).isEqualTo(expected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.csv", "out.csv.gz", "out.csv.zst", "out.tsv"})
  void readsCsv(String name) throws IOException, SQLException {
    Path out = folder.resolve(name);
    copy(out, Map.of("null_text", "\\N"));
    String delimiter = name.contains("tsv") ? "\t" : ",";
    String dialect = "nullstr='\\N', delim='" + delimiter + "', quote='\"', escape='\"'";
    String from = "read_csv('" + out + "', header=true, all_varchar=true, " + dialect + ")";
    assertThat(query("SELECT id, name FROM " + from)).isEqualTo(expected());
  }

  /** In DuckDB as here, nothing at all is null and empty text is in quotes. */
  @Test
  void readsNullAndEmptyApart() throws IOException, SQLException {
    Path out = folder.resolve("out.csv");
    copy(out, Map.of());
    List<List<@Nullable String>> rows =
        query(
            "SELECT id, name FROM read_csv('%s', header=true, all_varchar=true, allow_quoted_nulls=false)"
                .formatted(out));
    assertThat(rows).isEqualTo(expected());
  }
}
