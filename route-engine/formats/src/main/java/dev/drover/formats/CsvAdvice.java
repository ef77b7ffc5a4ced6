package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Works out, from the header and a row that is refused, which option would make the file read well.
 * What it says is in the form <code>set `option` to value</code>, the value as JSON has it, so that
 * programs can do it too. Any thread.
 *
 * @param header the first record as it stands in the file; empty if it is a row as others are
 * @param columns how many fields rows should have
 */
record CsvAdvice(CsvDialect dialect, String header, int columns) {

  private static final String UNKNOWN_TO_WINDOWS = "\u0081\u008d\u008f\u0090\u009d";
  private static final String DELIMITERS = ",;\t|";

  /**
   * @param fields how many the row has
   * @param first whether it is the first row of the file
   * @param last whether it is the last
   */
  @Nullable String ragged(
      byte[] block, int start, int end, int fields, boolean first, boolean last) {
    String row = new String(block, start, end - start, UTF_8);
    if (header.isEmpty() && first && dialect.columns() != null) {
      return "name %d columns in `columns`, or leave it out".formatted(fields);
    }
    String separatorLine = separatorLine(header, dialect);
    if (separatorLine != null) {
      return separatorLine;
    }
    if (dialect.comment() == CsvDialect.NONE && (header.startsWith("#") || row.startsWith("#"))) {
      return "set `comment` to \"#\"";
    }
    if (dialect.quote() != '\'' && count(row, dialect.delimiter(), '\'') == columns) {
      return "set `quote` to \"'\"";
    }
    for (int i = 0; i < DELIMITERS.length() && !header.isEmpty(); i++) {
      char other = DELIMITERS.charAt(i);
      int ofHeader = count(header, other, dialect.quote());
      if (ofHeader > 1 && other != dialect.delimiter() && ofHeader == ofRow(row, other)) {
        return "set `delimiter` to " + quoted(other);
      }
    }
    if (fields == columns + 1 && row.charAt(row.length() - 1) == dialect.delimiter()) {
      return "set `on_ragged` to \"fit\", which drops what rows have too much";
    }
    if (first && fields > columns && !header.isEmpty()) {
      return "set `skip_rows` to %d if the first line is no header"
          .formatted(dialect.skipRows() + 1);
    }
    if (fields < columns && !last) {
      return "set `on_ragged` to \"pad\", which gives short rows empty fields";
    }
    return "set `on_reject` to \"skip\" to leave such rows out";
  }

  /** For a first line that names the delimiter, as some spreadsheets write it; else null. */
  static @Nullable String separatorLine(String header, CsvDialect dialect) {
    if (!header.startsWith("sep=") || header.length() != 5) {
      return null;
    }
    return "set `skip_rows` to %d and `delimiter` to %s"
        .formatted(dialect.skipRows() + 1, quoted(header.charAt(4)));
  }

  private int ofRow(String row, char delimiter) {
    return count(row, delimiter, dialect.quote());
  }

  /** What would mend quotes that do not follow the rules; null if nothing is known. */
  @Nullable String quoting(byte[] block, int start, int end, int at) {
    if (at - 2 >= start && block[at - 2] == '\\' && dialect.escape() == CsvDialect.NONE) {
      return "set `escape` to \"\\\\\"";
    }
    int lineEnd = start;
    while (lineEnd < end && block[lineEnd] != '\n' && block[lineEnd] != '\r') {
      lineEnd++;
    }
    String line = new String(block, start, lineEnd - start, UTF_8);
    boolean plain = count(line, dialect.delimiter(), CsvDialect.NONE) == columns;
    return plain ? "set `quote` to \"none\"" : null;
  }

  /** What to do about a byte that is not UTF-8. */
  static String encoding(byte found) {
    // What windows-1252 has no character for is mostly a letter of the DOS pages.
    String likely = UNKNOWN_TO_WINDOWS.indexOf(found & 0xff) < 0 ? "windows-1252" : "IBM850";
    return "set `encoding` to \"%s\", or to what the file is in".formatted(likely);
  }

  /** What to do about bytes of value 0 in a header. */
  static String wideEncoding(byte[] block, int from) {
    return "set `encoding` to \"UTF-16%s\"".formatted(block[from] == 0 ? "BE" : "LE");
  }

  /** The number of fields that a line has. */
  private static int count(String line, int delimiter, int quote) {
    int fields = 1;
    boolean inside = false;
    boolean atStart = true;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == quote && (inside || atStart)) {
        inside = !inside;
        // A doubled quote goes on with the field.
        atStart = !inside;
      } else if (c == delimiter && !inside) {
        fields++;
        atStart = true;
      } else if (!inside) {
        atStart = false;
      }
    }
    return fields;
  }

  private static String quoted(char c) {
    return c == '\t' ? "\"\\t\"" : "\"" + c + '"';
  }
}
