package dev.drover.runtime;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Names the checkpoint of a route: its name, and a hash of what it reads and writes and where it
 * was started. Secrets do not count, so a new password goes on with the old checkpoint.
 */
final class CheckpointId {

  private static final int HASH_BYTES = 8;
  private static final int NAME_LENGTH = 64;

  private CheckpointId() {}

  static String of(RouteSpec spec, String workspace) {
    StringBuilder text = new StringBuilder();
    append(text, spec.source().connector().name(), spec.source().config());
    spec.transforms().forEach(step -> append(text, "|" + step.type().name(), step.config()));
    append(text, spec.sink().connector().name(), spec.sink().config());
    text.append(workspace);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return slug(spec.name()) + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String slug(@Nullable String name) {
    if (name == null || name.isBlank()) {
      return "";
    }
    String plain = name.strip().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String cut = plain.substring(0, Math.min(plain.length(), NAME_LENGTH));
    return cut.equals("-") ? "" : cut + "-";
  }

  /** Only what differs from the default: options that come later do not change a hash. */
  private static void append(StringBuilder text, String what, Record config) {
    text.append(what);
    ConfigBinder.values(
        config,
        (name, option, value) -> {
          String shown = value.toString();
          boolean standard = shown.toLowerCase(Locale.ROOT).equals(option.defaultValue());
          if (!option.secret() && !standard) {
            text.append('\t').append(name).append('=').append(shown);
          }
        });
    text.append('\n');
  }
}
