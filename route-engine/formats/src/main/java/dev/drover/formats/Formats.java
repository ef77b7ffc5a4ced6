package dev.drover.formats;

import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Need;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The formats by name. As sources: {@code csv} and {@code tsv}, rows of text with a header; {@code
 * jsonl} and {@code ndjson}, a JSON object a line; {@code json_array}, one array of objects, or one
 * object; {@code raw}, an opaque row (one field {@code payload} of type BYTES) a line; the
 * envelopes {@code normal}, {@code text} and {@code json}, opaque rows with metadata. As sinks:
 * {@code csv} and {@code tsv}; {@code jsonl}, {@code ndjson} and {@code raw}, which all write a row
 * with fields as one JSON object a line and an opaque row as it is, with a line feed.
 *
 * <p>JSON has text as strings, DECIMAL and JSON verbatim, the rest as PostgreSQL's {@code
 * row_to_json}: NaN and infinities as strings, BYTES as hex after {@code \x}, times in ISO 8601.
 *
 * <p>All errors are {@link DroverException}s whose path is the option's, from the endpoint.
 */
public final class Formats {

  private static final List<String> SOURCES =
      List.of("csv", "tsv", "jsonl", "ndjson", "raw", "json_array", "normal", "text", "json");

  private static final List<String> SINKS =
      List.of("csv", "tsv", "jsonl", "ndjson", "raw", "normal", "text", "json");

  /** Names that other tools have for them. */
  private static final Map<String, String> ALIASES =
      Map.of(
          "envelope", "normal",
          "envelope_text", "text",
          "envelope_json", "json",
          "payload", "raw");

  private Formats() {}

  /** The formats that can be read. */
  public static List<String> sources() {
    return SOURCES;
  }

  /** The formats that can be written. */
  public static List<String> sinks() {
    return SINKS;
  }

  /**
   * The format to read a file in.
   *
   * @param format what was asked for, case does not count; null to go by the file's name
   * @throws DroverException unknown_format or not_supported, with what is allowed
   */
  public static String sourceFormat(@Nullable String format, String fileName) {
    return choose(format, fileName, SOURCES, SINKS, "read");
  }

  /**
   * The format to write a file in.
   *
   * @param format what was asked for, case does not count; null to go by the file's name
   * @throws DroverException unknown_format or not_supported, with what is allowed
   */
  public static String sinkFormat(@Nullable String format, String fileName) {
    return choose(format, fileName, SINKS, SOURCES, "written");
  }

  /**
   * A reader of one byte stream.
   *
   * @param warn takes what is odd and no error; called by the reader's thread
   * @throws DroverException if an option has a value that cannot be
   */
  public static RecordReader reader(
      FormatOptions options, Buffers buffers, Consumer<Problem> warn) {
    check(options);
    if (isCsv(options)) {
      CsvDialect dialect = CsvDialects.of(options);
      return dialect.isUnusual()
          ? new CommonsCsvReader(dialect, buffers, warn)
          : new CsvRecordReader(dialect, buffers, warn);
    }
    return options.format().equals("json_array")
        ? new JsonArrayReader(options, buffers)
        : new LinesReader(options, buffers);
  }

  /**
   * Tells before anything is read what {@link #reader} would refuse.
   *
   * @throws DroverException if an option has a value that cannot be
   */
  public static void check(FormatOptions options) {
    checkLimits(options);
    if (isCsv(options)) {
      CsvDialects.of(options);
      return;
    }
    String ofCsv = options.csv().first();
    if (ofCsv != null) {
      throw invalid(
          "/" + ofCsv, "`%s` has no %s; `csv` and `tsv` have".formatted(options.format(), ofCsv));
    }
  }

  /** Whether the format is {@code csv} or {@code tsv}, whose options count then. */
  public static boolean isCsv(FormatOptions options) {
    String format = sourceFormat(options.format(), "");
    return format.equals("csv") || format.equals("tsv");
  }

  private static void checkLimits(FormatOptions options) {
    if (options.maxRecordBytes() < 1
        || options.maxRecordBytes() > FormatOptions.LARGEST_RECORD_BYTES) {
      throw invalid(
          "/max_record_bytes",
          "%,d is not in 1..%,d"
              .formatted(options.maxRecordBytes(), FormatOptions.LARGEST_RECORD_BYTES));
    }
    if (options.maxBatchRows() < 1) {
      throw invalid("/max_batch_rows", "%,d is less than 1".formatted(options.maxBatchRows()));
    }
  }

  /**
   * An encoder for a format that has nothing before its first row; it makes {@link EncodedBytes}.
   *
   * @param format a name of {@link #sinks()}, not {@code csv} or {@code tsv}
   */
  public static Encoder encoder(String format, Schema schema, Buffers buffers) {
    if (sinkFormat(format, "").endsWith("sv")) {
      throw new IllegalArgumentException(format + " begins with a header");
    }
    Envelope envelope = Envelope.of(format.toLowerCase(Locale.ROOT));
    if (envelope != null) {
      return new EnvelopeEncoder(envelope, schema, buffers);
    }
    return Envelope.isOpaque(schema)
        ? new PayloadEncoder(schema, buffers)
        : new JsonLinesEncoder(schema, buffers);
  }

  /**
   * How rows are written.
   *
   * @param sink with the name of a format
   * @throws DroverException if an option has a value that cannot be
   */
  public static RowFormat rows(SinkFormat sink, Buffers buffers) {
    String format = sinkFormat(sink.format(), "");
    boolean tsv = format.equals("tsv");
    String ofCsv = sink.firstOfCsv();
    if (!tsv && !format.equals("csv")) {
      if (ofCsv != null) {
        throw invalid("/" + ofCsv, "`%s` has no %s; `csv` and `tsv` have".formatted(format, ofCsv));
      }
      return new LineFormat(format, buffers);
    }
    byte delimiter = CsvDialects.character("/delimiter", sink.delimiter(), tsv ? '\t' : ',');
    CsvStyle style =
        new CsvStyle(
            delimiter,
            nullText(sink.nullText(), delimiter),
            sink.lineEnd() == SinkFormat.LineEnd.CRLF ? "\r\n" : "\n");
    return new CsvFormat(
        style,
        !Boolean.FALSE.equals(sink.header()),
        sink.onMismatch() == SinkFormat.OnMismatch.BY_NAME,
        buffers);
  }

  /** What the rows must have to be written so; the format has a name. */
  public static Set<Need> needs(SinkFormat sink) {
    String format = sinkFormat(sink.format(), "");
    if (format.equals("csv") || format.equals("tsv")) {
      return sink.nested() == SinkFormat.Nested.FLATTEN
          ? Set.of(Need.FIELDS, Need.FLAT)
          : Set.of(Need.FIELDS);
    }
    return Envelope.of(format) != null ? Set.of(Need.MESSAGE_ID) : Set.of();
  }

  /** The index of the payload, if rows of the schema are opaque; -1 if they are not. */
  public static int payload(Schema schema) {
    return Envelope.payload(schema);
  }

  private static String nullText(@Nullable String text, byte delimiter) {
    if (text == null) {
      return "";
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == delimiter
          || text.charAt(i) == '"'
          || text.charAt(i) == '\n'
          || text.charAt(i) == '\r') {
        throw invalid(
            "/null_text",
            "`%s` holds the delimiter, a quote or a line end".formatted(shorten(text)));
      }
    }
    return text;
  }

  private static String choose(
      @Nullable String format,
      String fileName,
      List<String> allowed,
      List<String> otherWay,
      String verb) {
    String name = format == null ? extension(fileName) : format.toLowerCase(Locale.ROOT);
    name = format == null ? name : ALIASES.getOrDefault(name, name);
    boolean ofName = format == null && (name.equals("json") || name.equals("text"));
    if (allowed.contains(name) && !ofName) {
      return name;
    }
    if (ofName && name.equals("json")) {
      throw new DroverException(
          new Problem(
              ErrorCode.UNKNOWN_FORMAT,
              "/format",
              "the extension `.json` may stand for several formats",
              "set `format` to jsonl, an object a line; json_array, one array or document; or json,"
                  + " envelopes with a payload",
              allowed));
    }
    if (otherWay.contains(name)) {
      throw new DroverException(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "/format",
              "`%s` cannot be %s yet".formatted(name, verb),
              "set `format` to one of " + String.join(", ", allowed),
              allowed));
    }
    String message =
        format != null
            ? "there is no format `%s`".formatted(shorten(format))
            : name.isEmpty()
                ? "no format is named and the file name `%s` has no extension"
                    .formatted(shorten(fileName))
                : "no format is named and the extension `.%s` stands for none"
                    .formatted(shorten(name));
    throw new DroverException(
        new Problem(
            ErrorCode.UNKNOWN_FORMAT,
            "/format",
            message,
            "set `format` to one of " + String.join(", ", allowed),
            allowed));
  }

  private static String extension(String name) {
    String fileName = Compression.innerName(name);
    int dot = fileName.lastIndexOf('.');
    int slash = Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\'));
    return dot > slash ? fileName.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
  }

  private static String shorten(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private static DroverException invalid(String path, String message) {
    return new DroverException(new Problem(ErrorCode.INVALID_ARGUMENT, path, message));
  }
}
