package dev.drover.formats;

import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats that keep the payload of a row together with what tells about it, an object a line:
 * {@code message_id}, {@code payload} and {@code metadata}.
 */
enum Envelope {
  /** The payload is text; {@code metadata} is there if there is any. */
  NORMAL,
  /** As {@link #NORMAL}, with {@code metadata} in any case. */
  TEXT,
  /** The payload is JSON. */
  JSON;

  static final String PAYLOAD = "payload";
  static final String MESSAGE_ID = "message_id";
  static final String BASE64 = "payload_base64";
  static final String METADATA = "metadata";

  /** Null if the format is no envelope. */
  static @Nullable Envelope of(String format) {
    for (Envelope envelope : values()) {
      if (envelope.name().toLowerCase(Locale.ROOT).equals(format)) {
        return envelope;
      }
    }
    return null;
  }

  /** Whether rows of the schema are opaque: besides metadata, only a payload of bytes. */
  static boolean isOpaque(Schema schema) {
    return payload(schema) >= 0;
  }

  /** The index of the payload of opaque rows; -1 if they are not opaque. */
  static int payload(Schema schema) {
    int payload = -1;
    for (int f = 0; f < schema.size(); f++) {
      Field field = schema.fields().get(f);
      if (field.role() == Field.Role.METADATA) {
        continue;
      }
      if (payload >= 0 || field.type() != Type.BYTES || !field.name().equals(PAYLOAD)) {
        return -1;
      }
      payload = f;
    }
    return payload;
  }
}
