package dev.drover.bench.lab;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB inside this process, with its defaults: all cores, rows in input order. One thread. */
final class DuckDb implements AutoCloseable {
  private final Connection connection;

  DuckDb() throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:duckdb:");
  }

  String version() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT version()")) {
      rows.next();
      return rows.getString(1);
    }
  }

  /**
   * CSV to JSON lines, every column as text.
   *
   * @return rows written
   */
  long copy(Path csv, Path out) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(
          "COPY (SELECT * FROM read_csv(%s, all_varchar=true)) TO %s (FORMAT json)"
              .formatted(literal(csv), literal(out)));
    }
  }

  private static String literal(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
