package dev.drover.spi;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint as it is stored: in the state folder, or by a sink beside its rows. Its text form is
 * versioned and ends with a checksum, so that half a checkpoint is never taken for a whole one.
 *
 * @param id names the route, see {@link WriterScope#checkpointId}
 * @param source where the rows come from, for people
 * @param epoch how often a writer has taken the checkpoint over; an older writer's commit fails
 * @param splits {@link Progress#stored} of each split
 * @param attributes what the keeper needs beside, such as the length of a file
 */
public record Checkpoint(
    String id,
    String source,
    long epoch,
    Map<Split, String> splits,
    Map<String, String> attributes) {

  private static final String FIRST_LINE = "drover-checkpoint 1";

  public Checkpoint {
    splits = Map.copyOf(splits);
    attributes = Map.copyOf(attributes);
  }

  /** The same with other progress and attributes. */
  public Checkpoint with(Map<Split, String> newSplits, Map<String, String> newAttributes) {
    return new Checkpoint(id, source, epoch, newSplits, newAttributes);
  }

  /** The text form: one fact a line, splits and attributes by name. */
  public String text() {
    StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
    text.append("id ").append(escape(id)).append('\n');
    text.append("source ").append(escape(source)).append('\n');
    text.append("epoch ").append(epoch).append('\n');
    splits.entrySet().stream()
        .sorted((a, b) -> a.getKey().id().compareTo(b.getKey().id()))
        .forEach(
            split -> {
              text.append("split ").append(escape(split.getKey().id())).append('\t');
              text.append(escape(split.getValue())).append('\n');
            });
    attributes.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            attribute -> {
              text.append("attribute ").append(escape(attribute.getKey())).append('\t');
              text.append(escape(attribute.getValue())).append('\n');
            });
    String facts = text.toString();
    return facts + "crc32c " + checksum(facts) + "\n";
  }

  /**
   * Reads the text form.
   *
   * @param where the place of the checkpoint, for the error's text
   * @throws DroverException with {@link ErrorCode#CHECKPOINT_BROKEN} if it is none, or not whole
   */
  public static Checkpoint parse(String text, String where) {
    int last = text.lastIndexOf("crc32c ");
    if (!text.startsWith("drover-checkpoint ")) {
      throw broken(where, "it is no checkpoint");
    }
    if (!text.startsWith(FIRST_LINE + "\n")) {
      throw broken(where, "it was written by a newer version of Drover");
    }
    if (last < 0
        || !text.substring(last).equals("crc32c " + checksum(text.substring(0, last)) + "\n")) {
      throw broken(where, "its checksum does not fit, so it was cut off or changed");
    }
    Map<String, String> facts = new LinkedHashMap<>();
    Map<Split, String> splits = new LinkedHashMap<>();
    Map<String, String> attributes = new LinkedHashMap<>();
    for (String line : text.substring(FIRST_LINE.length() + 1, last).lines().toList()) {
      int space = line.indexOf(' ');
      int tab = line.indexOf('\t');
      String key = space < 0 ? line : line.substring(0, space);
      if (key.equals("split") && tab > 0) {
        splits.put(
            new Split(unescape(line.substring(space + 1, tab))), unescape(line.substring(tab + 1)));
      } else if (key.equals("attribute") && tab > 0) {
        attributes.put(unescape(line.substring(space + 1, tab)), unescape(line.substring(tab + 1)));
      } else {
        facts.put(key, unescape(line.substring(space + 1)));
      }
    }
    try {
      return new Checkpoint(
          fact(facts, "id", where),
          fact(facts, "source", where),
          Long.parseLong(fact(facts, "epoch", where)),
          splits,
          attributes);
    } catch (NumberFormatException e) {
      throw broken(where, "its epoch is no number");
    }
  }

  private static String fact(Map<String, String> facts, String key, String where) {
    @Nullable String value = facts.get(key);
    if (value == null) {
      throw broken(where, "it has no " + key);
    }
    return value;
  }

  private static DroverException broken(String where, String why) {
    return new DroverException(
        new Problem(
            ErrorCode.CHECKPOINT_BROKEN,
            "",
            "the checkpoint %s cannot be used: %s".formatted(where, why),
            "remove it with 'drover checkpoint reset', then start anew"));
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    crc.update(bytes, 0, bytes.length);
    return String.format("%08x", crc.getValue());
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    boolean escaped = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (escaped) {
        plain.append(c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c);
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
