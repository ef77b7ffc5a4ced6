package dev.drover.formats;

import java.util.Random;

/**
 * Randomness that can be had again: {@code -Ddrover.seed=N}, where N is what a failed test names.
 */
final class Seed {

  static final long VALUE = Long.getLong("drover.seed", System.nanoTime());

  private Seed() {}

  /** The random of one round of a test. */
  static Random round(int round) {
    return new Random(VALUE * 31 + round);
  }

  /** What a failure must say. */
  static String name(int round) {
    return "-Ddrover.seed=%d, round %d".formatted(VALUE, round);
  }

  /** Bytes out of an alphabet, in which a byte may stand several times. */
  static byte[] bytes(Random random, int length, byte[] alphabet) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return bytes;
  }
}
