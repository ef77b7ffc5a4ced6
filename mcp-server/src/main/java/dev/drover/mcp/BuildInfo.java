package dev.drover.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What this build is.
 *
 * @param gitHash abbreviated hash of the commit; "unknown" when built outside a repository
 */
public record BuildInfo(String name, String version, String gitHash) {

  private static final BuildInfo CURRENT = load();

  /** The build that runs. */
  public static BuildInfo current() {
    return CURRENT;
  }

  private static BuildInfo load() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      if (in == null) {
        throw new IllegalStateException("build.properties is missing from the jar");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        "drover",
        properties.getProperty("version", "unknown"),
        properties.getProperty("git_hash", "unknown"));
  }
}
