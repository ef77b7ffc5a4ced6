package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.DroverException;
import dev.drover.spi.Encoded;
import dev.drover.spi.Encoder;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.Arrays;
import java.util.Base64;

/** Writes each row as an envelope. The payload of a row with fields is its JSON. */
final class EnvelopeEncoder implements Encoder {

  private static final int MAX_DEPTH = FormatOptions.DEFAULT_MAX_DEPTH;

  private final Envelope envelope;
  private final Schema schema;
  private final Buffers buffers;
  private final int payload;
  private final int messageId;

  EnvelopeEncoder(Envelope envelope, Schema schema, Buffers buffers) {
    this.envelope = envelope;
    this.schema = schema;
    this.buffers = buffers;
    this.payload = Envelope.payload(schema);
    int id = schema.indexOf(Envelope.MESSAGE_ID);
    this.messageId = id >= 0 && schema.fields().get(id).role() == Field.Role.METADATA ? id : -1;
  }

  @Override
  public Encoded encode(Batch batch) {
    EncodedBytes lines = null;
    byte[] from = batch.arena();
    if (payload < 0) {
      lines = (EncodedBytes) new JsonLinesEncoder(schema, Buffers.heap()).encode(batch);
      from = Arrays.copyOf(lines.array(), lines.length() + Batch.PADDING);
    }
    JsonOutput out = new JsonOutput(buffers, 64 * batch.rows() + from.length);
    JsonScanner scanner = new JsonScanner(from, MAX_DEPTH);
    int at = 0;
    for (int row = 0; row < batch.rows(); row++) {
      int begin;
      int end;
      boolean none = false;
      if (lines != null) {
        begin = at;
        end = at;
        while (from[end] != '\n') {
          end++;
        }
        at = end + 1;
      } else {
        none = batch.mark(row, payload) != Batch.VALUE;
        long cell = none ? 0 : batch.cell(row, payload);
        begin = Batch.offset(cell);
        end = begin + Batch.length(cell);
      }
      out.put("{\"message_id\":");
      value(out, batch, row, messageId);
      payload(out, scanner, from, begin, end, none);
      metadata(out, batch, row);
      out.put("}\n");
    }
    return out.done(batch.rows());
  }

  private void payload(
      JsonOutput out, JsonScanner scanner, byte[] from, int begin, int end, boolean none) {
    if (none) {
      out.put(",\"payload\":null");
    } else if (envelope == Envelope.JSON) {
      out.put(",\"payload\":");
      int start = scanner.space(begin, end);
      int after = start == end ? JsonScanner.FAILED : scanner.value(start, end);
      if (after == JsonScanner.FAILED
          || scanner.space(after, end) < end
          || Utf8.firstInvalid(from, begin, end) >= 0) {
        throw new DroverException(
            new Problem(
                ErrorCode.INVALID_JSON,
                "",
                "the payload '%s' is no JSON, which the format json wants"
                    .formatted(new String(from, begin, Math.min(40, end - begin), UTF_8)),
                "write the format normal or text"));
      }
      compact(out, from, start, after);
    } else if (Utf8.firstInvalid(from, begin, end) < 0) {
      out.put(",\"payload\":\"");
      out.text(from, begin, end - begin);
      out.put('"');
    } else {
      out.put(",\"payload_base64\":\"");
      byte[] base64 = Base64.getEncoder().encode(Arrays.copyOfRange(from, begin, end));
      out.put(base64, 0, base64.length);
      out.put('"');
    }
  }

  /** Without the white space between its parts. */
  private static void compact(JsonOutput out, byte[] from, int begin, int end) {
    boolean quoted = false;
    int start = begin;
    for (int i = begin; i < end; i++) {
      byte b = from[i];
      if (quoted) {
        i += b == '\\' ? 1 : 0;
        quoted = b != '"';
      } else if (b == '"') {
        quoted = true;
      } else if (b == ' ' || b == '\t' || b == '\n' || b == '\r') {
        out.put(from, start, i - start);
        start = i + 1;
      }
    }
    out.put(from, start, end - start);
  }

  private void metadata(JsonOutput out, Batch batch, int row) {
    boolean any = false;
    for (int f = 0; f < schema.size(); f++) {
      Field field = schema.fields().get(f);
      if (field.role() != Field.Role.METADATA
          || f == messageId
          || batch.mark(row, f) == Batch.ABSENT) {
        continue;
      }
      out.put(any ? "," : ",\"metadata\":{");
      any = true;
      out.put('"');
      byte[] name = field.name().getBytes(UTF_8);
      out.text(Arrays.copyOf(name, name.length + Batch.PADDING), 0, name.length);
      out.put("\":");
      value(out, batch, row, f);
    }
    if (any) {
      out.put('}');
    } else if (envelope != Envelope.NORMAL) {
      out.put(",\"metadata\":{}");
    }
  }

  /** A value as a string, whatever its type; null stays null. */
  private void value(JsonOutput out, Batch batch, int row, int field) {
    if (field < 0 || batch.mark(row, field) != Batch.VALUE) {
      out.put("null");
      return;
    }
    Type type = schema.fields().get(field).type();
    int start = out.at;
    JsonValues.write(out, type, batch.arena(), batch.cell(row, field));
    boolean isText = out.bytes[start] == '"';
    if (!isText) {
      byte[] plain = Arrays.copyOfRange(out.bytes, start, out.at + Batch.PADDING);
      int length = out.at - start;
      out.at = start;
      out.put('"');
      out.text(plain, 0, length);
      out.put('"');
    }
  }
}
