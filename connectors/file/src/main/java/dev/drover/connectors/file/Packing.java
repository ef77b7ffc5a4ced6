package dev.drover.connectors.file;

import dev.drover.formats.Compression;

/**
 * How a target is compressed.
 *
 * @param kind anything but {@link Compression#AUTO}
 * @param level as {@link dev.drover.formats.Compressor#level} gives it
 */
record Packing(Compression kind, int level) {

  /** Not at all. */
  static final Packing NONE = new Packing(Compression.NONE, 0);

  boolean isNone() {
    return kind == Compression.NONE;
  }
}
