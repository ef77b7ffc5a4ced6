package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the fast reading of CSV means, one byte at a time: the plain twin of {@link CsvScanner} and
 * {@link CsvRecords}.
 */
final class PlainCsv {

  private enum State {
    FIELD_START,
    UNQUOTED,
    QUOTED,
    QUOTE_IN_QUOTED
  }

  /**
   * @param fields their bytes, quotes undone, as ISO 8859-1
   * @param line the line on which it begins, from 1
   * @param malformed text stands after a closing quote, or a quote is not closed
   */
  record Row(List<String> fields, int line, boolean malformed, boolean utf8) {

    List<String> texts() {
      return fields.stream().map(field -> new String(field.getBytes(ISO_8859_1), UTF_8)).toList();
    }
  }

  private final byte[] csv;
  private final byte delimiter;
  private final byte quote;
  private final List<Integer> separators = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private State state = State.FIELD_START;
  private boolean malformed;
  private ByteArrayOutputStream field = new ByteArrayOutputStream();
  private List<String> fields = new ArrayList<>();
  private int line = 1;
  private int startLine = 1;
  private int start;

  PlainCsv(byte[] csv, char delimiter, char quote) {
    this.csv = csv;
    this.delimiter = (byte) delimiter;
    this.quote = (byte) quote;
    for (int i = 0; i < csv.length; i++) {
      step(i);
    }
    if (start < csv.length) {
      malformed |= state == State.QUOTED;
      endRow(csv.length);
    }
  }

  List<Row> rows() {
    return rows;
  }

  /** Where delimiters and line ends outside quotes are. */
  List<Integer> separators() {
    return separators;
  }

  boolean endsInQuotes() {
    return state == State.QUOTED;
  }

  boolean malformed() {
    return rows.stream().anyMatch(Row::malformed) || malformed;
  }

  private void step(int i) {
    byte b = csv[i];
    boolean lineEnd = b == '\n' || b == '\r';
    if (state == State.QUOTED) {
      if (b == quote) {
        state = State.QUOTE_IN_QUOTED;
      } else {
        field.write(b);
      }
    } else if (b == delimiter || lineEnd) {
      separators.add(i);
      if (lineEnd) {
        endRow(i);
      } else {
        endField();
      }
      state = State.FIELD_START;
    } else if (b == quote && state == State.FIELD_START) {
      state = State.QUOTED;
    } else if (b == quote && state == State.QUOTE_IN_QUOTED) {
      field.write(b);
      state = State.QUOTED;
    } else {
      malformed |= state == State.QUOTE_IN_QUOTED;
      field.write(b);
      state = State.UNQUOTED;
    }
    boolean secondOfTwo = b == '\n' && i > 0 && csv[i - 1] == '\r';
    if (lineEnd && !secondOfTwo) {
      line++;
    }
    if (lineEnd && state == State.FIELD_START) {
      start = i + 1;
      startLine = line;
    }
  }

  private void endField() {
    fields.add(field.toString(ISO_8859_1));
    field = new ByteArrayOutputStream();
  }

  private void endRow(int end) {
    if (end > start) {
      endField();
      rows.add(new Row(fields, startLine, malformed, isUtf8(start, end)));
      fields = new ArrayList<>();
      malformed = false;
    }
  }

  private boolean isUtf8(int from, int to) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(csv, from, to - from));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
