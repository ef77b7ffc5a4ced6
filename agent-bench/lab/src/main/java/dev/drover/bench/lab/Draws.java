package dev.drover.bench.lab;

/** Repeatable draws (SplitMix64), the same on every machine and in every release of Java. */
final class Draws {
  private long state;

  Draws(long seed) {
    this.state = seed;
  }

  private long next() {
    state += 0x9e3779b97f4a7c15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** From 0 to {@code bound - 1}. */
  int below(int bound) {
    return (int) Math.unsignedMultiplyHigh(next(), bound);
  }

  /** From {@code low} to {@code high}. */
  int between(int low, int high) {
    return low + below(high - low + 1);
  }

  /** Lower-case letters. */
  String word(int shortest, int longest) {
    char[] letters = new char[between(shortest, longest)];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (char) ('a' + below(26));
    }
    return new String(letters);
  }

  /** Words of 3 to 9 letters with spaces between. */
  String words(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : " ").append(word(3, 9));
    }
    return text.toString();
  }
}
