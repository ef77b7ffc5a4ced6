package dev.drover.runtime;

import java.util.Locale;

/** Where in a run something happens. */
enum Stage {
  READ,
  DECODE,
  ENCODE,
  WRITE,
  COMMIT;

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
