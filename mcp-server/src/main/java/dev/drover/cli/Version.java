package dev.drover.cli;

import dev.drover.mcp.BuildInfo;

/** The line that says what runs. */
final class Version {

  private Version() {}

  static String text() {
    BuildInfo build = BuildInfo.current();
    return "drover %s (%s), Java %s, %s %s"
        .formatted(
            build.version(),
            build.gitHash(),
            Runtime.version(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }
}
