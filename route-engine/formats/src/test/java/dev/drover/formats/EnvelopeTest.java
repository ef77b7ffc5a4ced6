package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drover.spi.Batch;
import dev.drover.spi.Buffers;
import dev.drover.spi.Decoded;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.RejectedRow;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Record shapes that other tools write and read. */
class EnvelopeTest {

  private static final String ID = "\"message_id\":\"0190f5b4-7d2e-7b1e-8000-0123456789ab\"";

  private static final class Read implements Decoded {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final List<RejectedRow> rejected = new ArrayList<>();
    private final String to;

    Read(String to) {
      this.to = to;
    }

    @Override
    public void batch(Batch batch) {
      EncodedBytes bytes =
          (EncodedBytes) Formats.encoder(to, batch.schema(), Buffers.heap()).encode(batch);
      out.write(bytes.array(), 0, bytes.length());
    }

    @Override
    public void reject(RejectedRow row) {
      rejected.add(row);
    }

    @Override
    public void advanced(long records, long lines) {
      assertThat(records).isPositive();
    }

    String text() {
      return out.toString(UTF_8);
    }
  }

  private static Read read(String from, String to, String lines) {
    byte[] bytes = lines.getBytes(UTF_8);
    Read read = new Read(to);
    RecordReader reader = Formats.reader(FormatOptions.of(from), new HeapBuffers(), problem -> {});
    byte[] block = Arrays.copyOf(bytes, bytes.length + Batch.PADDING);
    assertThat(reader.cut(block, bytes.length, true)).isEqualTo(bytes.length);
    reader.take().decode(read);
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{" + ID + ",\"payload\":\"{\\\"a\\\":1}\"}\n",
        "{" + ID + ",\"payload\":\"\"}\n",
        "{" + ID + ",\"payload\":\"ä\\n\\u0001\",\"metadata\":{\"k\":\"v\",\"l\":\"\"}}\n",
        "{" + ID + ",\"payload_base64\":\"/wA=\"}\n",
        "{\"message_id\":\"any text\",\"payload\":\"x\"}\n",
        "{\"message_id\":null,\"payload\":null}\n",
        "{"
            + ID
            + ",\"payload\":\"x\"}\n{"
            + ID
            + ",\"payload\":\"y\",\"metadata\":{\"k\":\"v\"}}\n",
      })
  void whatNormalWritesItReadsAgain(String lines) {
    assertThat(read("normal", "normal", lines).text()).isEqualTo(lines);
  }

  @Test
  void textHasMetadataInAnyCase() {
    String lines = "{" + ID + ",\"payload\":\"x\",\"metadata\":{}}\n";
    assertThat(read("text", "text", lines).text()).isEqualTo(lines);
    assertThat(read("normal", "text", "{" + ID + ",\"payload\":\"x\"}\n").text()).isEqualTo(lines);
  }

  @Test
  void jsonHasTheDocumentOnOneLine() {
    String pretty = "{" + ID + ",\"payload\":{ \"a\" : [1, \"b \\\" c\"],\t\"d\":1.10 }}\n";
    assertThat(read("json", "json", pretty).text())
        .isEqualTo(
            "{" + ID + ",\"payload\":{\"a\":[1,\"b \\\" c\"],\"d\":1.10},\"metadata\":{}}\n");
  }

  @Test
  void payloadsComeOutRaw() {
    String lines =
        "{"
            + ID
            + ",\"payload\":\"{\\\"a\\\":1}\",\"metadata\":{\"k\":\"v\"}}\n"
            + "{\"payload\":\"not json\",\"message_id\":5}\n";
    assertThat(read("normal", "raw", lines).text()).isEqualTo("{\"a\":1}\nnot json\n");
    assertThat(read("normal", "jsonl", lines).text()).isEqualTo("{\"a\":1}\nnot json\n");
  }

  @Test
  void rowsWithFieldsHaveTheirJsonAsPayload() {
    assertThat(read("jsonl", "normal", "{\"a\":\"x\"}\n").text())
        .isEqualTo("{\"message_id\":null,\"payload\":\"{\\\"a\\\":\\\"x\\\"}\"}\n");
    assertThat(read("csv", "json", "a,b\n1,\"x\"\"y\"\n").text())
        .isEqualTo(
            "{\"message_id\":null,\"payload\":{\"a\":\"1\",\"b\":\"x\\\"y\"},\"metadata\":{}}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "json|{\"a\":1}|rows as plain JSON have the format jsonl",
        "normal|{\"message_id\":\"x\"}|there is no payload",
        "normal|{\"payload\":{}}|the payload must be text; the format json",
        "normal|{\"payload\":\"x\",\"metadata\":5}|metadata must be an object",
        "normal|{\"payload_base64\":\"?\"}|this is no Base64",
        "normal|{\"payload\":\"\\ud800\"}|half of a surrogate pair",
        "normal|[]|a record must be a JSON object",
        "text|{\"payload\":\"x\"|the record ends inside an object",
      })
  void whatIsNoEnvelopeIsRefused(String format, String line, String why) {
    Read read = read(format, "raw", line + "\n{" + ID + ",\"payload\":\"1\"}\n");
    assertThat(read.rejected)
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.code()).isEqualTo(ErrorCode.INVALID_JSON);
              assertThat(row.message()).contains(why);
              assertThat(row.line()).isEqualTo(1);
            });
    assertThat(read.text()).isEqualTo(format.equals("json") ? "\"1\"\n" : "1\n");
  }
}
