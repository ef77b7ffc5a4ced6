package dev.drover.runtime;

import java.util.Locale;

/** Where in a run something happens. */
enum Stage {
  READ,
  DECODE,
  TRANSFORM,
  ENCODE,
  WRITE,
  DEAD_LETTER,
  COMMIT;

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
