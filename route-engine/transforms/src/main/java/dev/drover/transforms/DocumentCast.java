package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonOutput;
import dev.drover.formats.JsonScanner;
import dev.drover.formats.JsonStrings;
import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.transforms.SchemaNode.Kind;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Casts JSON values into JSON values, documents with all that is in them. For one worker. Plain:
 * columns of a single type have their own way in {@link ColumnCast}.
 */
final class DocumentCast {

  private final CastOptions options;
  private final Scalars scalars = new Scalars();
  private final JsonOutput scratch;

  private String why = "";
  private String path = "";

  /**
   * @param coerce whether text becomes numbers and booleans, and they text
   * @param applyDefaults whether missing properties get their default
   * @param emptyToNull whether empty text is null
   * @param canonical whether text must be written as the value would be, so that no digit is lost
   */
  record CastOptions(
      boolean coerce, boolean applyDefaults, boolean emptyToNull, boolean canonical) {}

  DocumentCast(CastOptions options, Buffers heap) {
    this.options = options;
    this.scratch = new JsonOutput(heap, 0);
  }

  /** What was wrong with the last value that did not fit. */
  String why() {
    return path.isEmpty() ? why : "'%s': %s".formatted(Shown.cut(path), why);
  }

  /**
   * Writes the cast value.
   *
   * @return false if it does not fit; what was written is then to be forgotten
   */
  boolean cast(byte[] in, long value, SchemaNode node, JsonOutput out) {
    path = "";
    JsonScanner scanner = new JsonScanner(in, Documents.ANY_DEPTH);
    int from = Batch.offset(value);
    return value(in, scanner, from, from + Batch.length(value), node, out);
  }

  private boolean value(
      byte[] in, JsonScanner scanner, int from, int to, SchemaNode node, JsonOutput out) {
    int start = out.at;
    boolean fits =
        switch (in[from]) {
          case 'n' -> nothing(node, out);
          case 't', 'f' -> bool(in, from, to, node, out);
          case '"' -> text(in, from, to, node, out);
          case '{' -> object(in, scanner, from, to, node, out);
          case '[' -> array(in, scanner, from, to, node, out);
          default -> number(in, from, to, node, out);
        };
    return fits && isChoice(node, out, start);
  }

  private boolean nothing(SchemaNode node, JsonOutput out) {
    out.put("null");
    return node.nullable() || node.kinds().isEmpty() || fail("null", node);
  }

  private boolean bool(byte[] in, int from, int to, SchemaNode node, JsonOutput out) {
    if (node.kinds().isEmpty() || node.kinds().contains(Kind.BOOLEAN)) {
      out.put(in, from, to - from);
      return true;
    }
    return quoted(in, from, to, node, out);
  }

  private boolean quoted(byte[] in, int from, int to, SchemaNode node, JsonOutput out) {
    if (options.coerce() && node.kinds().contains(Kind.STRING) && node.format() == null) {
      out.put('"');
      out.put(in, from, to - from);
      out.put('"');
      return true;
    }
    return fail(Shown.value(in, from, to - from), node);
  }

  private boolean number(byte[] in, int from, int to, SchemaNode node, JsonOutput out) {
    if (node.kinds().isEmpty() || node.kinds().contains(Kind.NUMBER)) {
      out.put(in, from, to - from);
      return true;
    }
    if (node.kinds().contains(Kind.INTEGER)) {
      if (isIntegral(in, from, to)) {
        out.number(scalars.value);
        return true;
      }
    }
    return quoted(in, from, to, node, out);
  }

  /** Whether a JSON number is an integer of 64 bits, also when it is written 1.0 or 1e3. */
  boolean isIntegral(byte[] in, int from, int to) {
    if (scalars.integer(in, from, to)) {
      return true;
    }
    BigDecimal number = decimal(new String(in, from, to - from, UTF_8));
    if (number == null) {
      return false;
    }
    boolean near = number.precision() - (long) number.scale() <= 19 && number.scale() < 1000;
    if (!near || number.stripTrailingZeros().scale() > 0) {
      return false;
    }
    if (number.toBigInteger().bitLength() > 63) {
      return false;
    }
    scalars.value = number.longValueExact();
    return true;
  }

  /** What the last method of {@link Scalars} or {@link #isIntegral} has read. */
  Scalars scalars() {
    return scalars;
  }

  private boolean text(byte[] in, int from, int to, SchemaNode node, JsonOutput out) {
    byte[] plain = in;
    boolean escaped = false;
    int begin = from + 1;
    int end = to - 1;
    for (int i = begin; i < end; i++) {
      if (in[i] == '\\') {
        scratch.at = 0;
        if (!JsonStrings.unescape(in, begin, end, scratch)) {
          why = "half of a surrogate pair is no text";
          return false;
        }
        scratch.reserve(Batch.PADDING);
        plain = scratch.bytes;
        escaped = true;
        begin = 0;
        end = scratch.at;
        break;
      }
    }
    if (begin == end && options.emptyToNull() && !node.kinds().isEmpty()) {
      return nothing(node, out);
    }
    if (node.document()) {
      return document(
          escaped ? Arrays.copyOf(plain, end + Batch.PADDING) : plain, begin, end, node, out);
    }
    if (node.kinds().isEmpty() || node.kinds().contains(Kind.STRING)) {
      if (node.format() != null && !isFormat(node.format(), plain, begin, end)) {
        return fail(Shown.value(plain, begin, end - begin), node);
      }
      out.put(in, from, to - from);
      return true;
    }
    return (options.coerce() && coerced(plain, begin, end, node, out))
        || fail(Shown.value(plain, begin, end - begin), node);
  }

  private boolean coerced(byte[] in, int from, int to, SchemaNode node, JsonOutput out) {
    if (node.kinds().contains(Kind.INTEGER) && scalars.integer(in, from, to)) {
      out.number(scalars.value);
      return true;
    }
    if (node.kinds().contains(Kind.NUMBER) && Scalars.isNumber(in, from, to)) {
      out.put(in, from, to - from);
      return true;
    }
    if (node.kinds().contains(Kind.BOOLEAN) && scalars.bool(in, from, to)) {
      out.put(scalars.value == 1 ? "true" : "false");
      return true;
    }
    return false;
  }

  private boolean document(byte[] in, int from, int to, SchemaNode node, JsonOutput out) {
    JsonScanner scanner = new JsonScanner(in, ColumnCast.MAX_DEPTH);
    int begin = scanner.space(from, to);
    int end = begin == to ? JsonScanner.FAILED : scanner.value(begin, to);
    if (end == JsonScanner.FAILED || scanner.space(end, to) < to) {
      why = "%s is no JSON document".formatted(Shown.value(in, from, to - from));
      return false;
    }
    SchemaNode inner =
        new SchemaNode(
            node.kinds().contains(Kind.STRING) ? Set.of() : node.kinds(),
            node.nullable(),
            null,
            false,
            List.of(),
            null,
            node.properties(),
            node.required(),
            node.additional(),
            node.items());
    return value(in, scanner, begin, end, inner, out);
  }

  boolean isFormat(SchemaNode.Format format, byte[] in, int from, int to) {
    return switch (format) {
      case DATE_TIME -> scalars.timestamp(in, from, to) && scalars.zoned;
      case LOCAL_DATE_TIME -> scalars.timestamp(in, from, to) && !scalars.zoned;
      case DATE -> scalars.date(in, from, to);
      case TIME -> scalars.time(in, from, to);
      case UUID -> Scalars.isUuid(in, from, to);
    };
  }

  private boolean array(
      byte[] in, JsonScanner scanner, int from, int to, SchemaNode node, JsonOutput out) {
    if (!node.kinds().isEmpty() && !node.kinds().contains(Kind.ARRAY)) {
      return fail(Shown.value(in, from, to - from), node);
    }
    SchemaNode items = node.items();
    if (items == null) {
      out.document(in, from, to - from);
      return true;
    }
    String outer = path;
    out.put('[');
    int i = scanner.space(from + 1, to);
    for (int n = 0; in[i] != ']'; n++) {
      int end = scanner.value(i, to);
      path = outer + "[" + n + "]";
      if (n > 0) {
        out.put(',');
      }
      if (!value(in, scanner, i, end, items, out)) {
        return false;
      }
      i = scanner.space(end, to);
      i = in[i] == ',' ? scanner.space(i + 1, to) : i;
    }
    path = outer;
    out.put(']');
    return true;
  }

  private boolean object(
      byte[] in, JsonScanner scanner, int from, int to, SchemaNode node, JsonOutput out) {
    if (!node.kinds().isEmpty() && !node.kinds().contains(Kind.OBJECT)) {
      return fail(Shown.value(in, from, to - from), node);
    }
    if (!node.reachesIn()) {
      out.document(in, from, to - from);
      return true;
    }
    String outer = path;
    Set<String> names = new HashSet<>();
    char before = '{';
    int i = scanner.space(from + 1, to);
    while (in[i] == '"') {
      int key = i + 1;
      int keyEnd = scanner.string(key, to) - 1;
      int begin = scanner.colon(keyEnd + 1, to);
      int end = scanner.value(begin, to);
      String name = Documents.name(in, key, keyEnd);
      names.add(name);
      SchemaNode property = node.properties().get(name);
      path = outer.isEmpty() ? name : outer + "." + name;
      if (property == null && !node.additional()) {
        why = "is not declared, and additionalProperties is false";
        return false;
      }
      out.put(before);
      before = ',';
      out.put(in, key - 1, keyEnd + 2 - key);
      out.put(':');
      if (property == null) {
        out.document(in, begin, end - begin);
      } else if (!value(in, scanner, begin, end, property, out)) {
        return false;
      }
      i = scanner.space(end, to);
      i = in[i] == ',' ? scanner.space(i + 1, to) : i;
    }
    return complete(node, names, outer, before, out);
  }

  private boolean complete(
      SchemaNode node, Set<String> names, String outer, char first, JsonOutput out) {
    char before = first;
    for (Map.Entry<String, SchemaNode> property : node.properties().entrySet()) {
      String standard = property.getValue().standard();
      if (options.applyDefaults() && standard != null && names.add(property.getKey())) {
        out.put(before);
        before = ',';
        byte[] member = (JsonTree.write(property.getKey()) + ":" + standard).getBytes(UTF_8);
        out.put(member, 0, member.length);
      }
    }
    for (String name : node.required()) {
      if (!names.contains(name)) {
        path = outer.isEmpty() ? name : outer + "." + name;
        why = "is missing, and required";
        return false;
      }
    }
    path = outer;
    out.put(before == '{' ? "{}" : "}");
    return true;
  }

  private boolean isChoice(SchemaNode node, JsonOutput out, int from) {
    if (node.choices().isEmpty()) {
      return true;
    }
    String written = new String(out.bytes, from, out.at - from, UTF_8);
    for (String choice : node.choices()) {
      if (sameValue(written, choice)) {
        return true;
      }
    }
    why = notAmong(written, node);
    return false;
  }

  static String notAmong(String value, SchemaNode node) {
    return "%s is not among %s".formatted(Shown.cut(value), Shown.names(node.choices()));
  }

  /** Whether two JSON values are the same; numbers by value. */
  static boolean sameValue(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    boolean numbers = isDigit(one) && isDigit(other);
    if (numbers) {
      BigDecimal a = decimal(one);
      BigDecimal b = decimal(other);
      return a != null && b != null && a.compareTo(b) == 0;
    }
    boolean texts = one.startsWith("\"") && other.startsWith("\"");
    return texts && Objects.equals(JsonTree.read(one, ""), JsonTree.read(other, ""));
  }

  /** Null if its exponent is beyond all bounds. */
  private static @Nullable BigDecimal decimal(String digits) {
    try {
      return new BigDecimal(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isDigit(String json) {
    char c = json.charAt(0);
    return c == '-' || (c >= '0' && c <= '9');
  }

  private boolean fail(String value, SchemaNode node) {
    why = notA(value, node);
    return false;
  }

  /** {@code 'abc' is not an integer}. */
  static String notA(String value, SchemaNode node) {
    return "%s is not %s"
        .formatted(value.isEmpty() ? "empty text" : "'" + value + "'", wanted(node));
  }

  private static String wanted(SchemaNode node) {
    if (node.format() != null) {
      return switch (node.format()) {
        case DATE_TIME -> "a date-time with an offset, such as 2026-12-31T23:59:59Z";
        case LOCAL_DATE_TIME -> "a date-time without an offset, such as 2026-12-31T23:59:59";
        case DATE -> "a date, such as 2026-12-31";
        case TIME -> "a time, such as 23:59:59";
        case UUID -> "a UUID";
      };
    }
    if (node.document()) {
      return "a JSON document";
    }
    StringJoiner kinds = new StringJoiner(" or ");
    for (Kind kind : node.kinds()) {
      kinds.add(
          switch (kind) {
            case INTEGER -> "an integer of 64 bits";
            case NUMBER -> "a number";
            case BOOLEAN -> "a boolean";
            case STRING -> "text";
            case OBJECT -> "an object";
            case ARRAY -> "an array";
          });
    }
    return kinds.toString();
  }
}
